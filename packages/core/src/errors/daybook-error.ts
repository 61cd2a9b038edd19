import { errorCodes, type ErrorCode, type ErrorFamily } from './error-codes.ts'

const brand: unique symbol = Symbol.for('daybook.error') as never

/** The base of every error that Daybook throws. `code` is stable; the message is for people and may change. */
export class DaybookError extends Error {
  readonly code: ErrorCode
  readonly family: ErrorFamily

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = new.target.name
    this.code = code
    this.family = errorCodes[code]
    Object.defineProperty(this, brand, { value: true })
  }

  /** True also for an error that another installed copy of Daybook threw, where `instanceof` says no. */
  static is(value: unknown): value is DaybookError {
    return typeof value === 'object' && value !== null && (value as { [brand]?: unknown })[brand] === true
  }
}
