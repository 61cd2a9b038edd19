import { idProblem } from './id.ts'
import { memberPointer } from './json-pointer.ts'
import { utf8Length } from './utf8-length.ts'

/** Where a value does not fit and how. `path` is a JSON Pointer into the checked value. */
export interface Fault {
  readonly path: string
  readonly problem: string
}

/** Undefined when the value fits. With `open`, objects may have fields that are not declared: newer code adds some. */
export interface Check {
  (value: unknown, open: boolean): Fault | undefined
}

function check(fits: (value: unknown) => boolean, problem: string): Check {
  return (value) => (fits(value) ? undefined : { path: '', problem })
}

export const anything: Check = () => undefined
export const text: Check = check((value) => typeof value === 'string', 'must be a string')
export const boolean: Check = check((value) => typeof value === 'boolean', 'must be true or false')
export const safeInteger: Check = check(Number.isSafeInteger, 'must be a safe integer')
export const finiteNumber: Check = check(Number.isFinite, 'must be a finite number')
export const object: Check = check(isObject, 'must be an object')

function integerFrom(minimum: number): Check {
  return check(
    (value) => Number.isSafeInteger(value) && (value as number) >= minimum,
    `must be a safe integer of at least ${minimum}`,
  )
}

/** A number of things. */
export const count: Check = integerFrom(0)
/** A number that counts up from 1. */
export const counter: Check = integerFrom(1)

export const id: Check = (value) => {
  const problem = idProblem(value)
  return problem === undefined ? undefined : { path: '', problem }
}

export function oneOf<Value>(...values: readonly Value[]): Check {
  return check(
    (value) => values.includes(value as Value),
    `must be ${values.map((value) => JSON.stringify(value)).join(' or ')}`,
  )
}

export function matching(pattern: RegExp, problem: string): Check {
  return check((value) => typeof value === 'string' && pattern.test(value), problem)
}

/** Text of so many bytes of UTF-8 at most. */
export function shortText(maxBytes: number): Check {
  const fits = (value: unknown): boolean =>
    typeof value === 'string' && value.length <= maxBytes && utf8Length(value) <= maxBytes
  return check(fits, `must be a string of at most ${maxBytes} bytes`)
}

export function arrayOf(item: Check, maxItems: number = Infinity): Check {
  return (value, open) => {
    if (!Array.isArray(value)) return { path: '', problem: 'must be an array' }
    if (value.length > maxItems) return { path: '', problem: `must have at most ${maxItems} items` }
    for (const [index, member] of value.entries()) {
      const fault = item(member, open)
      if (fault !== undefined) return within(index, fault)
    }
    return undefined
  }
}

export interface Shape extends Check {
  /** The names of the declared fields, the required ones first. */
  readonly fields: readonly string[]
}

/** An object with these fields. A field whose value is undefined counts as absent. */
export function shape(
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>> = {},
): Shape {
  const checks = Object.entries({ ...required, ...optional })
  const fields = checks.map(([name]) => name)
  const check: Check = (value, open) => {
    if (!isObject(value)) return { path: '', problem: 'must be an object' }
    let present = 0
    for (const [name, check] of checks) {
      const member = value[name]
      if (member === undefined) {
        if (name in required) return { path: memberPointer('', name), problem: 'is missing' }
        continue
      }
      present++
      const fault = check(member, open)
      if (fault !== undefined) return within(name, fault)
    }
    if (open || Object.keys(value).length === present) return undefined
    const unknown = Object.keys(value).find((name) => !fields.includes(name))
    return unknown === undefined
      ? undefined
      : { path: memberPointer('', unknown), problem: 'is not a field of this version' }
  }
  return Object.assign(check, { fields })
}

/** An object whose `kind` names the check that applies to it. */
export function byKind(kinds: Readonly<Record<string, Check>>, otherKinds: 'refuse' | 'keep'): Check {
  const checks = new Map(Object.entries(kinds))
  const other = otherKinds === 'keep' ? shape({ kind: id }) : shape({ kind: oneOf(...checks.keys()) })
  return (value, open) => {
    const check = isObject(value) && typeof value.kind === 'string' ? checks.get(value.kind) : undefined
    return check === undefined ? other(value, true) : check(value, open)
  }
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function within(key: string | number, fault: Fault): Fault {
  return { path: memberPointer('', key) + fault.path, problem: fault.problem }
}
