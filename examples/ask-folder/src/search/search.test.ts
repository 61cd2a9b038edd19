import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openFolder } from '../folder/folder.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { type SearchRequest, searchFolder } from './search.ts'

async function search(files: Readonly<Record<string, string | Uint8Array>>, request: Partial<SearchRequest>) {
  const folder = await openFolder(temporaryFolder(files), '/')
  return searchFolder(folder, { words: [], path: '.', limit: 5, ...request })
}

const found = async (...call: Parameters<typeof search>) =>
  (await search(...call)).places.map(({ path, line }) => `${path}:${line}`)

describe('search', () => {
  test('prefers the line with the most words, and among words the rare ones', async () => {
    const files = { 'a.txt': 'pool\n\n\n\n\npool size\n\n\n\n\npool\n\n\n\n\nrare\n' }
    const places = await found(files, { words: ['pool', 'size', 'rare'] })
    assert.deepEqual(places, ['a.txt:6', 'a.txt:16', 'a.txt:1', 'a.txt:11'])
  })

  test('counts what a line stands under: headings, enclosing blocks, sections, list heads', async () => {
    const files = {
      'notes.md': '# Berlin\n\n\n\n\nrent\n# Paris\n\n\n\n\nrent\n',
      'code.py':
        'def berlin():\n    a\n    b\n    c\n    d\n    rent = 1\ndef paris():\n    a\n    b\n    c\n    d\n    rent = 2\n',
      'conf.ini': '[berlin]\na=1\nb=1\nc=1\nd=1\nrent=1\n[paris]\na=1\nb=1\nc=1\nd=1\nrent=2\n',
      'list.txt': 'Berlin:\n- a\n- b\n- c\n- d\n- rent\nParis:\n- a\n- b\n- c\n- d\n- rent\n',
    }
    for (const path of Object.keys(files)) {
      const places = await found(files, { words: ['paris', 'rent'], path })
      const before = places.slice(0, places.indexOf(`${path}:12`))
      assert.ok(places.includes(`${path}:12`) && !before.includes(`${path}:6`), `${path}: ${places.join(' ')}`)
    }
  })

  test('counts a synonym less than the word', async () => {
    const files = { 'a.txt': 'pump begins', 'b.txt': 'pump starts', 'c.txt': 'pump' }
    const { places } = await search(files, { words: ['pump', 'start'] })
    assert.deepEqual(
      places.map(({ path }) => path),
      ['b.txt', 'a.txt', 'c.txt'],
    )
  })

  test('counts the path', async () => {
    const files = { 'people/ines.md': 'Birthday: 3 May', 'people/yuki.md': 'Birthday: 9 June' }
    assert.deepEqual(await found(files, { words: ['yuki', 'birthday'], limit: 1 }), ['people/yuki.md:1'])
  })

  test('counts neighbours, but not those of a line of a log', async () => {
    const prose = 'the engine\nstopped on Monday\n'
    const log = '2026-05-01 10:00:00 engine idle\n2026-05-01 10:00:01 pump stopped\n'
    const [near] = (await search({ 'a.txt': prose }, { words: ['engine', 'stopped'] })).places
    assert.equal(near?.share, 0.93)
    const [record] = (await search({ 'a.log': log }, { words: ['engine', 'stopped'] })).places
    assert.equal(record?.share, 0.5)
  })

  test('counts a rare word for more than a common one, and one that stands everywhere still', async () => {
    const log = `${'{"pump": 1}\n'.repeat(9)}{"leak": 1}\n`
    const { places } = await search({ 'a.log': log }, { words: ['pump', 'leak'] })
    assert.ok(places[0]!.share > 0.75 && places[1]!.share < 0.25, JSON.stringify(places))
    assert.equal((await search({ 'leak.txt': 'leak' }, { words: ['leak'] })).places[0]?.share, 1)
  })

  test('takes long words and lines in time', async () => {
    for (const text of ['y', 'ed', 'aY', '1.', '="'].map((part) => part.repeat(500_000)))
      await search({ 'a.txt': text }, { words: ['yed', 'ay', 'b'.repeat(100), '1.1'] })
  })

  test('finds word forms, relatives, parts of identifiers and split words', async () => {
    const holds = async (text: string, word: string): Promise<number | undefined> =>
      (await search({ 'a.txt': text }, { words: [word] })).places[0]?.share
    for (const [text, word] of [
      ['it retries', 'retried'],
      ['stopping', 'stopped'],
      ['it tries', 'try'],
      ['Rehearsals', 'rehearse'],
      ['the first day', 'days'],
      ['MAX_RETRIES', 'retry'],
      ['maxRetries', 'retry'],
      ['HTTPServer', 'server'],
      ['max_retries', 'max-retries'],
      ['at 10:42:13', '10:42'],
      ['port 504,', '504'],
      ['Zürich', 'ZÜRICH'],
      ['2026-03-12 10:00', '12 March'],
      ['delivery', 'delivered'],
      ['the conf', 'configuration'],
    ] as const)
      assert.equal(await holds(text, word), 1, `${word} in ${text}`)
    for (const [text, word] of [
      ['10:42:13,504', '504'],
      ['worker-30', 'worker-3'],
      ['da', 'database'],
      ['not', 'notebook'],
    ] as const)
      assert.equal(await holds(text, word), undefined, `${word} in ${text}`)
  })

  test('gives places whose lines do not overlap, and to a line of a log more of what came before', async () => {
    const spans = async (text: string): Promise<string[]> =>
      (await search({ 'a.txt': text }, { words: ['job'], limit: 30 })).places
        .toSorted((a, b) => a.line - b.line)
        .map(({ from, line, to }) => `${from}-${line}-${to}`)
    assert.deepEqual(await spans('job\n\n\n\njob\n\njob\n'), ['1-1-4', '5-5-7'])
    const log = Array.from({ length: 9 }, (_, at) => `10:00:0${at} ${at === 4 ? 'job' : ''}`).join('\n')
    assert.deepEqual(await spans(log), ['3-5-6'])
  })

  test('lets words weigh next to nothing that stand in most lines', async () => {
    const lines = Array.from({ length: 90 }, (_, at) => `10:00:${at + 10} shop sends order`)
    lines[60] = '10:01:10 shop refuses'
    assert.deepEqual(await found({ 'a.log': lines.join('\n') }, { words: ['shop', 'order', 'refuse'], limit: 1 }), [
      'a.log:61',
    ])
  })

  test('prefers where a name gets its value to where it is used', async () => {
    const files = {
      'a.ts': "import { maxSize } from './b.ts'\n",
      'b.ts': 'check(maxSize)\n\n\n\n\nconst maxSize = 3\n',
    }
    assert.deepEqual(await found(files, { words: ['max', 'size'], limit: 1 }), ['b.ts:6'])
  })

  test('tells where the names in a place get their value, but not in a log', async () => {
    const text = `MAX_SIZE = 3\n${'\n'.repeat(9)}check(MAX_SIZE)\n`
    const files = { 'a.py': text, 'b.log': text.replace('check', '10:00:00 check') }
    const { places } = await search(files, { words: ['check'] })
    assert.deepEqual(
      places.map(({ path, definitions }) => [path, definitions]),
      [
        ['a.py', [{ line: 1, text: 'MAX_SIZE = 3' }]],
        ['b.log', []],
      ],
    )
  })

  test('prefers lines that hold an amount where one is looked for', async () => {
    const files = { 'a.txt': `the boat\n${'\n'.repeat(9)}24 boats\n` }
    const placesOf = async (amounts: boolean) => (await search(files, { words: ['boat'], amounts })).places
    assert.deepEqual(
      (await placesOf(true)).map(({ line, hasAmount }) => [line, hasAmount]),
      [
        [11, true],
        [1, false],
      ],
    )
    assert.equal((await placesOf(false))[0]?.line, 1)
  })

  test('stays in a path and says what it did not search', async () => {
    const files = { 'a/x.txt': 'word', 'b/x.txt': 'word', 'b/y.bin': Buffer.from('word\0') }
    const result = await search(files, { words: ['word'], path: 'b' })
    assert.deepEqual([result.files, result.unread, result.stopped], [1, 1, false])
    assert.deepEqual(
      result.places.map((one) => one.path),
      ['b/x.txt'],
    )
  })

  test('shows of a long line the part that holds the most', async () => {
    const [place] = (await search({ 'a.txt': `${'filler '.repeat(400)}the needle here` }, { words: ['needle'] })).places
    assert.match(place?.text ?? '', /needle/)
    assert.ok((place?.text.length ?? 0) <= 300)
  })

  test('takes words that mean something in a regular expression for words', async () => {
    for (const word of ['(', '.*', '[a', '\\', '🙂', ''])
      assert.deepEqual(await found({ 'a.txt': 'text' }, { words: [word] }), [])
  })

  test('ends when it is aborted', async () => {
    const folder = await openFolder(temporaryFolder({ 'a.txt': 'x' }), '/')
    const aborted = searchFolder(folder, { words: ['x'], path: '.', limit: 1 }, AbortSignal.abort())
    await assert.rejects(aborted, { name: 'AbortError' })
  })
})
