import Fastify from 'fastify'
import { openDatabase } from './database.ts'
import { loadConfig } from './config.ts'
import { lend, renew, takeBack } from './loans.ts'
import { reserve } from './reservations.ts'
import { holdingsXml } from './export.ts'

const config = loadConfig()
const database = openDatabase(config.database)
const server = Fastify({ logger: { level: process.env.STACKHOUSE_LOG ?? 'info' }, bodyLimit: 64 * 1024 })

server.post('/loans', async (request) => lend(database, config, request.body as never))
server.post('/loans/:id/renew', async (request) => renew(database, config, Number((request.params as { id: string }).id)))
server.post('/returns', async (request) => takeBack(database, config, (request.body as { barcode: string }).barcode))
server.post('/reservations', async (request) => reserve(database, config, request.body as never))

server.get('/export/holdings.xml', async (_request, reply) => {
  reply.type('application/xml')
  return holdingsXml(database)
})

// The status page of the desk screen asks for this every ten seconds.
server.get('/alive', async () => ({ ok: true, openLoans: database.countOpenLoans() }))

server.setErrorHandler((error, _request, reply) => {
  // A rule of the library was broken: the desk shows the text as it is.
  if (error.name === 'RuleError') return reply.code(422).send({ message: error.message })
  server.log.error(error)
  return reply.code(500).send({ message: 'Something went wrong. Write the loan on paper.' })
})

await server.listen({ port: config.server.port, host: config.server.host })
