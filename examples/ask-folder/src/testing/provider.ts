import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { after } from 'node:test'

type Env = Readonly<Record<string, string>>

/** The environment of a provider on this machine that begins to answer, with this text, and never goes on. */
export function silentProvider(text: string): Promise<Env> {
  return provider((response) => response.write(chunk({ content: text }, null)))
}

/** That of one that answers with this text, whatever it is asked. */
export function answeringProvider(text: string): Promise<Env> {
  return provider((response) => response.end(`${chunk({ content: text }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`))
}

/** That of one that first calls this tool, once with each of these, and answers with this text when it has results. */
export function callingProvider(name: string, args: readonly object[], text: string): Promise<Env> {
  const calls = args.map((one, index) => ({
    index,
    id: `call-${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(one) },
  }))
  return provider((response, asked) => {
    const hasResults = asked.includes('"role":"tool"')
    const answer = hasResults ? chunk({ content: text }, 'stop') : chunk({ tool_calls: calls }, 'tool_calls')
    response.end(`${answer}data: [DONE]\n\n`)
  })
}

/** That of one that refuses all with this message. */
export function refusingProvider(message: string): Promise<Env> {
  return provider((response) => {
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message } }))
  })
}

async function provider(answer: (response: ServerResponse, asked: string) => void): Promise<Env> {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'text/event-stream')
    void textOf(request).then((asked) => answer(response, asked))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function chunk(delta: object, finish: string | null): string {
  const choices = [{ index: 0, delta, finish_reason: finish }]
  return `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`
}
