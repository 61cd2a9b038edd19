/** `node die-in-a-turn.ts ROOT`: answers a message in a new session, says which, and waits in a tool to be killed. */
import { openSqlite } from '@daybook/storage'
import { openManager } from './open-manager.ts'
import { eventsOf } from './scripted-backend.ts'

const storage = openSqlite(process.argv[2]!)
const { manager, session } = await openManager(storage, async function* ({ turnId }) {
  const say = eventsOf(turnId)
  yield say.text('let me look')
  yield say.call('c1')
  yield say.delta('I see')
  await new Promise(() => setInterval(() => {}, 60_000))
})
for await (const event of manager.sendMessage(session.id, { turnId: 'turn-1', text: 'hi' })) {
  if (event.type === 'text_delta') console.log(session.id)
}
