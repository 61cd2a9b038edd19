import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ProviderRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly [field: string]: unknown }
}

/** Answers one request; the connection is closed after it. */
export type Reply = (response: ServerResponse) => void | Promise<void>

export interface ProviderServer {
  readonly url: string
  readonly requests: ProviderRequest[]
  close(): Promise<void>
}

/** A provider on this machine that answers its requests with these replies, in order. */
export async function startProvider(...replies: readonly Reply[]): Promise<ProviderServer> {
  const requests: ProviderRequest[] = []
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      requests.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(body) })
      const reply = replies[requests.length - 1]
      if (reply === undefined) response.writeHead(500).end('no reply is left')
      else await reply(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Streams these server-sent events and ends. */
export function sends(events: readonly string[]): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', connection: 'close' }).end(events.join(''))
  }
}

/** Streams these server-sent events and breaks the connection. */
export function sendsAndBreaks(events: readonly string[]): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.join(''), () => {
      // What was written must reach the reader first, or it sees a connection that never was.
      setImmediate(() => response.socket?.destroy())
    })
  }
}

/** Streams these server-sent events and keeps the connection until the other side closes it. */
export function sendsAndWaits(events: readonly string[], closed: () => void): Reply {
  return (response) => {
    response.on('close', closed)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(events.join(''))
  }
}

export function refuses(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
}
