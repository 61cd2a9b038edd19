import { expect, test } from 'vitest'
import { formatPence, overdueFee } from '../src/fees.ts'

const config = { fees: { perDay: { adult: 10, child: 0, institution: 20 }, capPerItem: 200, blockAbove: 500 } } as never

test('nothing is charged within the grace', () => {
  expect(overdueFee(config, 'adult', '2025-05-01', '2025-05-04')).toBe(0)
})

test('after the grace the whole delay is charged', () => {
  expect(overdueFee(config, 'adult', '2025-05-01', '2025-05-05')).toBe(40)
})

test('the fee stops at the cap', () => {
  expect(overdueFee(config, 'institution', '2025-05-01', '2025-07-01')).toBe(200)
})

test('pence are written the way the receipts show them', () => {
  expect(formatPence(85)).toBe('85p')
  expect(formatPence(1205)).toBe('£12.05')
})
