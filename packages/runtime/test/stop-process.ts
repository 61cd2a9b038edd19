/** A child of the crash harness that does nothing but stop a session, and acknowledge how its turn ended. */
import { openSqlite } from '@daybook/storage'
import { acknowledge, childInput } from '@daybook/testing'
import { startSystemTimer } from '../src/timing/timer.ts'
import { openManager } from './open-manager.ts'
import { scriptedBackend } from './scripted-backend.ts'

const { root, sessionId } = childInput() as { root: string; sessionId: string }
const storage = openSqlite(root)
const script = scriptedBackend(async function* () {})
const { manager } = await openManager(storage, script, { startTimer: startSystemTimer })
acknowledge(await manager.stopSession(sessionId))
await manager.close()
storage.close()
