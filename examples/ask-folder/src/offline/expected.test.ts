import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { answeredBy } from './expected.ts'
import { termsOf } from './terms.ts'

const fits = (question: string, lines: string, share = 1, lacks: readonly string[] = []): boolean =>
  answeredBy(question, termsOf(question))({ lines: lines.split('\n'), share, lacks })

function assertFits(question: string, lines: readonly string[], others: readonly string[]): void {
  for (const one of lines) assert.ok(fits(question, one), `${question} ${one}`)
  for (const one of others) assert.ok(!fits(question, one), `${question} ${one}`)
}

describe('answeredBy', () => {
  test('wants a number where a question asks how many, how much or how long', () => {
    assertFits(
      'How many boats are there?',
      [
        '24 boats',
        'maxBoats = 24',
        '"boats": 3,',
        'ninety boats',
        'boats: 1,136',
        'boat 3x',
        'boats paid: 24',
        '| boats | 6 |',
      ],
      ['the boats', 'boat no one wants'],
    )
    for (const question of ['How much does a boat cost?', 'How long is the boat?', 'What amount does a boat take?'])
      assertFits(question, ['the boat: 7'], ['the boat'])
  })

  test('takes no date, time, version, address, column, id, item number or part of a name for a number', () => {
    assertFits(
      'How many boats are there?',
      [],
      [
        '12 March 2026, boats',
        '2026-03-12T10:42:13.504Z boats',
        '10:42 boats',
        'boats 2.0.9',
        'boats from 192.0.2.7',
        'boatd[640]: boats',
        '10:51:00    608    4.31  boats left',
        '"id": 778267, "boats"',
        '1. The boats',
        'boat-2, boat3 and the 2nd boat',
      ],
    )
  })

  test('wants the number in the sentence or the item that names the thing', () => {
    assertFits(
      'How many boats are there?',
      ['All boats in the\nharbour: 7', '- boats: 7\n- cranes'],
      [
        '- boats\n- cranes: 7',
        'The boats.\n\nSeven cranes.',
        '1. boats\n2. 7 cranes',
        '| boats | no |\n| cranes | 7 |',
      ],
    )
  })

  test('takes no number of the question for its answer', () => {
    assertFits('How many boats had paid 24?', ['24 boats of 30'], ['the boats paid 24'])
  })

  test('wants a number or a repetition where a question asks how often', () => {
    assertFits('How often is the boat cleaned?', ['The boat: each week', 'the boat, 3 times'], ['The boat is cleaned.'])
  })

  test('wants a time or a condition where a question asks when, wherever it stands', () => {
    for (const question of [
      'When is the boat cleaned?',
      'Until when is the boat open?',
      'At what time is the boat open?',
    ])
      assertFits(
        question,
        [
          '# 4 May\n\nThe boat',
          'boat: 16:15',
          'the boat on Friday',
          'boat\nin summer',
          'boats after 20 hours',
          '2026-05-04',
        ],
        ['The boat is cleaned by hand, 7 of them.'],
      )
  })

  test('wants a name or a role where a question asks who', () => {
    assertFits(
      'Who cleaned the Petrel?',
      [
        'Petrel: Nora',
        '| Nora | Petrel |',
        'the Petrel was cleaned by the crew',
        'Petrel, cleaned: an engineer',
        'petrel cleaned by nora',
        'user nora cleaned the petrel',
      ],
      ['the Petrel was cleaned by hand', '4 May: Petrel cleaned', 'the Petrel\n\nNora'],
    )
    assertFits('Who is Nora?', ['Nora: treasurer', 'Nora'], [])
  })

  test('wants half of the question', () => {
    const at = (question: string, share: number): boolean => fits(question, '24 boats', share)
    assert.deepEqual([at('Which boats?', 0.49), at('Which boats?', 0.5)], [false, true])
    assert.deepEqual([at('How many boats?', 0.49), at('How many boats?', 0.5)], [false, true])
  })

  test('wants the number in a sentence that holds another word of the question', () => {
    assertFits(
      'How many boats berth here?',
      ['24 boats berth.', '- boats: 24'],
      ['Boats berth. It is 24 metres long.', 'Nora has 24 boats.'],
    )
  })

  test('wants what was done where a question asks who, when, where or how much', () => {
    const answers = (question: string, ...lacks: string[]): boolean =>
      fits(question, '4 May: 7 boats, by Nora', 1, lacks)
    for (const [question, done, other] of [
      ['Who repaired the red boat?', 'repaired', 'red'],
      ['When was the red boat repaired?', 'repaired', 'red'],
      ['How many red boats were repaired?', 'repaired', 'red'],
      ['Where is the red boat stored?', 'stored', 'boat'],
      ['Where can I buy a red boat?', 'buy', 'red'],
      ['How do I paint a red boat?', 'paint', 'red'],
    ] as const)
      assert.deepEqual([answers(question), answers(question, done), answers(question, other)], [true, false, true])
    assert.ok(answers('Why was the red boat repaired?', 'repaired'))
  })

  test('wants the names and numbers of a question', () => {
    for (const [question, name] of [
      ['Why did Nora sell boat 7?', 'Nora'],
      ['Why did Nora sell boat 7?', '7'],
      ['When did Nora arrive?', 'Nora'],
    ] as const)
      assert.deepEqual([fits(question, '4 May'), fits(question, '4 May', 1, [name])], [true, false])
    assert.ok(fits('Boats: which are red?', 'red', 0.5, ['Boats']))
  })

  test('goes by the word that a question asks with', () => {
    for (const question of ['What happens when the boat leaves?', 'Which boat leaves where the crane stands?'])
      assert.ok(fits(question, 'the boat', 1, ['leaves', 'stands']))
    assertFits('How hot is the boat?', ['boat: 24'], ['the boat'])
  })

  test('wants nothing of other questions', () => {
    for (const question of [
      'Why is the boat red?',
      'Where is the boat?',
      'How does the boat float?',
      'Which boat?',
      '',
    ])
      assert.ok(fits(question, 'anything'))
  })
})
