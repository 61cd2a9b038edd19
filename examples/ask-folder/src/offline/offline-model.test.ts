import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { generateText, isStepCount, type ModelMessage, streamText, tool, type ToolResultPart } from 'ai'
import { z } from 'zod'
import { openFolder } from '../folder/folder.ts'
import { folderTools } from '../folder/tools.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { offlineModel } from './offline-model.ts'

const files = {
  'README.md': '# Harbour\n\nBooks berths for boats.\n',
  'src/berths.ts': 'export const maxBoatMetres = 24\n\nexport function book(boat) {\n  return boat\n}\n',
  'notes/may.md':
    '# 4 May\n\nNora asked for a new crane.\nIt is paid by the\nharbour association.\n\n## Decisions\n\n- The crane arrives in June.\n',
  'app.log':
    '2026-05-04 10:00:00 INFO start\n2026-05-04 10:00:07 ERROR pump-2 lost pressure\n2026-05-04 10:00:09 INFO pump-3 ok\n',
}

async function asked(messages: ModelMessage[], in_: Readonly<Record<string, string>> = files) {
  const tools = folderTools(await openFolder(temporaryFolder(in_), '/'))
  const calls: string[] = []
  const result = streamText({ model: offlineModel, tools, messages, stopWhen: isStepCount(6) })
  let text = ''
  let note: { readonly path: string; readonly content: string } | undefined
  for await (const part of result.stream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'tool-call') calls.push(part.toolName)
    if (part.type === 'tool-call' && part.toolName === 'note') note = part.input
    if (part.type === 'text-delta') text += part.text
  }
  return { calls, text, note }
}

const ask = (question: string, in_?: Readonly<Record<string, string>>) =>
  asked([{ role: 'user', content: question }], in_)

describe('the offline model through streamText', () => {
  test('searches, reads the best places and quotes file and line', async () => {
    const { calls, text } = await ask('How many metres may a boat have?')
    assert.deepEqual([calls[0], calls[1]], ['search', 'read'])
    assert.match(text, /src\/berths\.ts:1: export const maxBoatMetres = 24/)
    assert.match(text, /offline/)
  })

  test('quotes the paragraph around the words', async () => {
    assert.match((await ask('Who pays for the crane that Nora asked for?')).text, /may\.md:5: harbour association/)
  })

  test('marks the best line, keeps indentation and shows what stands around it', async () => {
    const code = 'class Boat {\n  // Boats rest in winter.\n  rest(days) {\n    return days\n  }\n}\n'
    const { text } = await ask('When is a boat resting?', { 'boat.js': code })
    assert.deepEqual(text.split('\n').slice(2), [
      '  boat.js:1: class Boat {',
      '> boat.js:2:   // Boats rest in winter.',
      '  boat.js:3:   rest(days) {',
      '  boat.js:4:     return days',
      '  boat.js:5:   }',
    ])
  })

  test('finds a date that is written another way', async () => {
    assert.match((await ask('Which error was there on May 4th?')).text, /app\.log:2:/)
  })

  test('quotes what stands under a heading', async () => {
    assert.match((await ask('Which decisions were made?')).text, /may\.md:9: - The crane arrives/)
  })

  test('shows what stands around a line of a log, and takes none of it for an answer', async () => {
    const { text } = await ask('When did pump-2 lose pressure?')
    assert.match(text, /^ {2}app\.log:1: .*\n> app\.log:2: 2026-05-04 10:00:07 ERROR.*\n {2}app\.log:3: /m)
    assert.match((await ask('How many metres of pressure has pump-3?')).text, /^I found no answer/)
  })

  test('goes from the place that uses a name to the one that gives it its value', async () => {
    const code = `const restDays = 7\n${'\n'.repeat(9)}// A boat rests after a storm.\nboat.rest(restDays)\n`
    const { text } = await ask('How many days does a boat rest after a storm?', {
      'boat.js': code,
      'b.js': 'x\n'.repeat(9),
    })
    assert.match(text, /^I am offline[^]*^ {2}boat\.js:1: const restDays = 7$[^]*^> boat\.js:11: /m)
  })

  test('quotes at most twelve lines', async () => {
    const text = 'A boat\nrests\nin\nthe\nharbour\n'.repeat(20)
    const answer = (await ask('Where does a boat rest?', { 'a.txt': text, 'b.txt': text, 'c.txt': 'x\n'.repeat(500) }))
      .text
    assert.equal(answer.match(/^[> ] [abc]\.txt:\d+: /gm)?.length, 12)
  })

  test('says that it found nothing, and which words', async () => {
    const { text } = await ask('Which insurance covers storm damage?')
    assert.match(text, /^I found no answer/)
    assert.match(text, /Not found: insurance, covers, storm, damage\./)
  })

  test('says that it found nothing when only a part of the question occurs, and shows the nearest place', async () => {
    const { text } = await ask('What colour has the crane in the workshop?')
    assert.match(
      text,
      /^I found no answer.*\n\nThe nearest that I found:\n\n.*\n> notes\/may\.md:3: Nora asked for a new crane\./,
    )
  })

  test('names the words that the quoted lines lack', async () => {
    assert.match((await ask('Who asked Ines for a crane?')).text, /\n\nNot in these lines: Ines\.$/)
    assert.doesNotMatch((await ask('Who asked for a crane?')).text, /Not in/)
  })

  test('says that it found nothing where no place holds the amount that is asked for', async () => {
    const { text } = await ask('How much is the crane?')
    assert.match(text, /^I found no answer.*\n\nThe nearest that I found:\n\n.*\n[^]*> notes\/may\.md:\d+: .*crane/)
  })

  test('says that it found nothing where the subject stands without what was done', async () => {
    for (const question of ['Who repaired the crane?', 'When was the crane painted?', 'Where is the crane stored?']) {
      const { text } = await ask(question)
      assert.match(
        text,
        /^I found no answer[^]*nearest[^]*may\.md[^]*Not in these lines: (?:repaired|painted|stored)\./,
      )
    }
  })

  test('finds a place that says it in another common word', async () => {
    const { text } = await ask('Why was the engine replaced?', { 'a.txt': 'engine changed, the old one leaked\n' })
    assert.match(text, /^I am offline[^]*> a\.txt:1: /)
    assert.doesNotMatch(text, /Not in/)
  })

  test('quotes a place that holds the amount that is asked for before one that holds more of its words', async () => {
    const notes = {
      'a.md': 'The price of the new harbour crane is secret.\n',
      'b.md': 'Price of the harbour crane: 900.\n',
      'c.md': 'Other.\n'.repeat(9),
    }
    const { text } = await ask('How much is the price of the new harbour crane?', notes)
    assert.match(text, /^I am offline[^]*b\.md:1: Price of the harbour crane: 900[^]*a\.md/)
  })

  test('tells what the folder holds when the question has no subject', async () => {
    const { calls, text } = await ask('What is this folder about?')
    assert.deepEqual(calls, ['list', 'read'])
    assert.match(text, /notes\/.*src\//)
    assert.match(text, /README\.md:3: Books berths/)
    assert.match((await ask('What is this?', { 'x.txt': '' })).text, /The folder holds x\.txt/)
  })

  test('lets the question before help where it says it', async () => {
    const messages: ModelMessage[] = [
      { role: 'user', content: 'Who asked for the crane?' },
      { role: 'assistant', content: 'Nora.' },
      { role: 'user', content: 'When does it arrive?' },
    ]
    assert.match((await asked(messages)).text, /arrives in June/)
  })

  test('does not take a line that repeats the question for an answer', async () => {
    const question = 'Who asked for the crane?'
    const { text } = await ask(question, { ...files, 'questions.txt': question })
    assert.doesNotMatch(text, /questions\.txt/)
    assert.match(text, /Nora/)
  })

  test('takes a question of any length', async () => {
    const long = `${Array.from({ length: 50 }, (_, at) => `word${at}`).join(' ')} ${'x'.repeat(500)}`
    assert.match((await ask(`Where is ${long}?`)).text, /^I found no answer to that/)
  })

  test('asks to write what it found where it is told to, into the file that is named', async () => {
    const orders = {
      'Note in crane.md who asked for the crane.': 'crane.md',
      'Who asked for the crane? Please write it down in "notes/crane.md"!': 'notes/crane.md',
      'Write who asked for the crane to crane.txt': 'crane.txt',
    }
    for (const [order, path] of Object.entries(orders)) {
      const { calls, note } = await ask(order)
      assert.equal(calls.at(-1), 'note')
      assert.equal(note?.path, path)
      assert.match(
        note?.content ?? '',
        /^[^\n]*ho asked for the crane[^\n]*\n\n[^]*> notes\/may\.md:3: Nora asked for a new crane\./,
      )
    }
  })

  test('writes what was asked before where it is told nothing else', async () => {
    const before: ModelMessage[] = [
      { role: 'user', content: 'Who asked for the crane?' },
      { role: 'assistant', content: 'Nora.' },
      { role: 'user', content: 'Save that as crane.md' },
    ]
    const { note } = await asked(before)
    assert.match(note?.content ?? '', /^Who asked for the crane\?\n\n[^]*> notes\/may\.md:3: /)
  })

  test('asks to write nothing where it found no answer, or was not told to', async () => {
    for (const question of ['Note in storm.md which insurance covers storm damage', 'Does the crane write to may.md?'])
      assert.ok(!(await ask(question)).calls.includes('note'))
  })

  test('says what became of the note', async () => {
    const said = async (output: ToolResultPart['output']): Promise<string> => {
      const call = { toolCallId: 'c', toolName: 'note' } as const
      const messages: ModelMessage[] = [
        { role: 'user', content: 'Note in crane.md who asked for the crane' },
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
      ]
      return (await asked(messages)).text
    }
    assert.equal(await said({ type: 'json', value: { path: 'crane.md', written: 3 } }), 'I wrote crane.md.')
    assert.equal(
      await said({ type: 'error-text', value: 'It was refused.' }),
      'I did not write crane.md. It was refused.',
    )
  })

  test('says what it could not search', async () => {
    const { text } = await ask('Where is the anchor?', { 'x.bin': 'anchor\0' })
    assert.match(text, /Not searched: 1/)
  })

  test('says so when its tools fail', async () => {
    const broken = tool({
      inputSchema: z.object({}),
      execute: async (): Promise<string> => {
        throw new Error('no')
      },
    })
    const result = await generateText({
      model: offlineModel,
      tools: { search: broken },
      prompt: 'Where is the anchor?',
      stopWhen: isStepCount(3),
    })
    assert.match(result.text, /^I found no answer: I could not look/)
  })
})

describe('the offline model', () => {
  test('answers the same through generateText', async () => {
    const tools = folderTools(await openFolder(temporaryFolder(files), '/'))
    const question = 'How many metres may a boat have?'
    const { text, finishReason, steps } = await generateText({
      model: offlineModel,
      tools,
      prompt: question,
      stopWhen: isStepCount(6),
    })
    assert.equal(text, (await ask(question)).text)
    assert.equal(finishReason, 'stop')
    assert.equal(steps.length, 3)
  })

  test('gives every call of a conversation an id of its own', async () => {
    const tools = folderTools(await openFolder(temporaryFolder(files), '/'))
    const messages: ModelMessage[] = []
    for (const content of ['Who asked for the crane?', 'When does it arrive?', 'Which decisions were made?']) {
      messages.push({ role: 'user', content })
      const result = await generateText({ model: offlineModel, tools, messages, stopWhen: isStepCount(6) })
      messages.push(...result.responseMessages)
    }
    const ids = messages.flatMap((one) =>
      one.role === 'assistant' && typeof one.content !== 'string'
        ? one.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
        : [],
    )
    assert.ok(ids.length >= 6)
    assert.equal(new Set(ids).size, ids.length)
  })
})
