/** A child of the crash harness: recovers the storage in the folder `input`, and acknowledges the report. */
import { openSqlite } from '@daybook/storage'
import { acknowledge, childInput, reachPoint } from '@daybook/testing'
import { openManager } from './open-manager.ts'
import { scriptedBackend } from './scripted-backend.ts'

const storage = openSqlite(childInput() as string)
const { manager } = await openManager(
  storage,
  scriptedBackend(async function* () {}),
)
reachPoint('before it recovers')
const { closed, left, expired, failed } = await manager.recover()
acknowledge({ closed, left, expired, failed: failed.map(({ error }) => String(error)) })
await manager.close()
storage.close()
