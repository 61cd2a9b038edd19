import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnNotNewestError } from '@daybook/core'
import { untilOpened } from './until-opened.ts'

test('decides anew for as long as others are first, however many they are', async () => {
  let others = 500
  const opened = await untilOpened(async () => async () => {
    if (others-- > 0) throw new TurnNotNewestError('a', 'a')
    return 'opened'
  })
  assert.equal(opened, 'opened')
})

test('gives up where a store contradicts itself', async () => {
  const overtaken = new TurnNotNewestError('a', 'b')
  await assert.rejects(
    untilOpened(async () => () => Promise.reject(overtaken)),
    overtaken,
  )
  await assert.rejects(
    untilOpened(async () => undefined),
    /does not agree with itself/,
  )
})
