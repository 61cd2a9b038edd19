import { readdirSync } from 'node:fs'
import { Session } from 'node:inspector'
import { setFlagsFromString } from 'node:v8'
import { types } from 'node:util'
import { runInNewContext } from 'node:vm'
import { LiveTurn } from '../src/turn/live-turn.ts'

/** What a process holds when nothing goes on in it and its garbage is collected, counted. */
export interface Held {
  readonly heapBytes: number
  /** In all maps and sets of the process. */
  readonly entries: number
  readonly turns: number
  /** Those too that do not keep the process alive. */
  readonly timers: number
  /** What keeps the process alive, but for an `Immediate`, by which tests wait until all is quiet. */
  readonly resources: readonly string[]
  /** Open files and sockets; 0 where the system does not tell. */
  readonly descriptors: number
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const timer = setTimeout(() => {}, 0)
clearTimeout(timer)
const Timeout = timer.constructor

export function whatIsHeld(): Held {
  collectGarbage()
  const heapBytes = process.memoryUsage().heapUsed
  let [entries, turns, timers] = [0, 0, 0]
  for (const object of objectsOfTheHeap()) {
    if (types.isMap(object) || types.isSet(object)) entries += object.size
    else if (object instanceof LiveTurn) turns += 1
    else if (object instanceof Timeout) timers += 1
  }
  const resources = process.getActiveResourcesInfo().filter((resource) => resource !== 'Immediate')
  const descriptors = process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0
  return { heapBytes, entries, turns, timers, resources, descriptors }
}

/** All that somebody holds: no closure and no private field hides anything from the debugger. */
function objectsOfTheHeap(): readonly object[] {
  const place = globalThis as { takeObjects?: (objects: object[]) => void }
  let all: object[] = []
  place.takeObjects = (objects) => (all = objects)
  const session = new Session()
  session.connect()
  const { result } = ask<{ result: Remote }>(session, 'Runtime.evaluate', { expression: 'Object.prototype' })
  const { objects } = ask<{ objects: Remote }>(session, 'Runtime.queryObjects', { prototypeObjectId: result.objectId })
  const functionDeclaration = 'function () { takeObjects(this) }'
  ask(session, 'Runtime.callFunctionOn', { objectId: objects.objectId, functionDeclaration })
  session.disconnect()
  delete place.takeObjects
  return all
}

interface Remote {
  readonly objectId: string
}

/** The debugger of the own thread answers before `post` returns. */
function ask<Answer>(session: Session, method: string, parameters: object): Answer {
  let answer: unknown
  session.post(method, parameters, (error, value?: unknown) => {
    if (error !== null) throw error
    answer = value
  })
  return answer as Answer
}
