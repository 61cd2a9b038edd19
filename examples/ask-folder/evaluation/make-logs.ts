import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Draws a whole number from 0 to below the limit; the same numbers at each run. */
type Draw = (limit: number) => number

interface Service {
  lines: number
  /** An ordinary line, without its time. */
  ordinary: (draw: Draw, pick: Pick) => string
  /** What happened on a day worth asking about, each with its time. */
  incidents: readonly string[]
}

type Pick = (...from: readonly string[]) => string

const firstMs = Date.parse('2026-03-10T00:00:00.000Z')
const fourDaysMs = 4 * 24 * 60 * 60 * 1000
const paths = ['/api/products/pilea', '/api/search', '/api/checkout', '/api/products/monstera', '/healthz', '/api/cart']
const people = ['a.devries', 'm.ionescu', 't.lindqvist', 'h.vandijk', 's.okafor']

const services: Record<string, Service> = {
  access: {
    lines: 900,
    ordinary: (draw, pick) =>
      `INFO access host=web-${draw(4) + 1} ${pick('GET', 'GET', 'GET', 'POST')} ${pick(...paths)} status=${pick('200', '200', '200', '304', '404')} ms=${draw(240) + 4} req=${hex(draw)}`,
    incidents: [],
  },
  api: {
    lines: 800,
    ordinary: (draw, pick) =>
      `${pick('INFO', 'INFO', 'INFO', 'DEBUG', 'WARN')} api req=${hex(draw)} ${pick('cart loaded', 'product page rendered', 'pool wait 12ms', 'order placed', 'slow query 310ms', 'discount refused: expired')} customer=${draw(9000) + 1000}`,
    incidents: [
      '2026-03-11T09:14:07.310Z ERROR api req=5e0c91aa order 88213 rejected: total would be negative after code SPRING100 customer=4410',
      '2026-03-13T11:02:55.008Z WARN api host=web-3 restarted by supervisor, resident memory 2.1 GB above its limit of 1.5 GB',
    ],
  },
  payments: {
    lines: 500,
    ordinary: (draw, pick) =>
      `${pick('INFO', 'INFO', 'INFO', 'WARN')} payments pay=p_${hex(draw)} ${pick('started', 'succeeded', 'expired', 'declined by bank', 'webhook accepted')} amount=${draw(9000) + 900}`,
    incidents: [
      '2026-03-12T02:00:04.771Z ERROR payments tls handshake refused: the certificate of api.paybridge.example expired at 02:00:00Z',
      '2026-03-12T02:00:09.912Z ERROR payments cannot start payment order=88640 upstream=paybridge',
      '2026-03-12T02:03:31.044Z ERROR payments cannot start payment order=88641 upstream=paybridge',
      '2026-03-12T05:47:20.195Z INFO payments tls handshake ok again after 3h47m, 29 payments were not started',
    ],
  },
  worker: {
    lines: 500,
    ordinary: (draw, pick) =>
      `INFO worker job=${pick('outbox', 'outbox', 'mail', 'carts', 'sessions')} done items=${draw(14)} ms=${draw(900) + 20}`,
    incidents: [
      '2026-03-11T16:42:18.550Z WARN worker job=outbox warehouse does not answer (503), 37 messages left for later',
      '2026-03-11T21:05:40.002Z ERROR worker job=outbox backlog 612 messages, oldest is 4h23m old',
      '2026-03-11T22:31:09.417Z INFO worker job=outbox warehouse is back, backlog sent in 94s',
    ],
  },
  auth: {
    lines: 400,
    ordinary: (draw, pick) =>
      `${pick('INFO', 'INFO', 'WARN')} auth ${pick('sign-in ok', 'sign-in ok', 'wrong password', 'sign-out')} customer=${draw(9000) + 1000} ip=10.${draw(20)}.${draw(250)}.${draw(250)}`,
    incidents: [
      '2026-03-10T19:26:33.084Z WARN auth 1480 wrong passwords within 3 minutes from 203.0.113.77, address blocked for a day',
    ],
  },
  search: {
    lines: 350,
    ordinary: (draw, pick) =>
      `${pick('INFO', 'INFO', 'DEBUG')} search q="${pick('pilea', 'small fern', 'hanging', 'cactus', 'monstera', 'pot 20 cm')}" hits=${draw(60)} ms=${draw(90) + 3}`,
    incidents: [
      '2026-03-13T03:30:00.120Z INFO search reindex begins, reason: unaccent dictionary changed',
      '2026-03-13T03:36:58.664Z INFO search reindex complete, 3127 documents in 418 seconds',
    ],
  },
  backup: {
    lines: 90,
    ordinary: (draw, pick) =>
      `INFO backup ${pick('wal segment shipped', 'wal segment shipped', 'checksum ok', 'pruned old segment')} segment=0000000100${hex(draw)} bytes=${draw(16_000_000) + 500_000}`,
    incidents: [
      '2026-03-13T01:10:00.004Z INFO backup nightly dump begins target=/mnt/vault2',
      '2026-03-13T01:38:44.913Z ERROR backup nightly dump aborted: no space left on device /mnt/vault2',
    ],
  },
  audit: {
    lines: 160,
    ordinary: (draw, pick) =>
      `INFO audit actor=${pick(...people)} action=${pick('order.view', 'order.note', 'product.edit', 'product.hide', 'refund.approve')} object=${draw(9000) + 80_000}`,
    incidents: [
      '2026-03-10T13:51:12.620Z INFO audit actor=t.lindqvist action=export.create object=customers-2026-02.csv',
      '2026-03-12T16:20:39.377Z INFO audit actor=s.okafor action=export.delete object=customers-2026-02.csv',
    ],
  },
}

/** Writes one log for each service: four days of ordinary lines, with the incidents in their places. */
export function makeLogs(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, service] of Object.entries(services)) {
    const draw = seeded(name.length * 7919 + service.lines)
    const pick: Pick = (...from) => from[draw(from.length)] ?? ''
    const ordinary = Array.from({ length: service.lines }, () => {
      const time = new Date(firstMs + draw(fourDaysMs)).toISOString()
      return `${time} ${service.ordinary(draw, pick)}`
    })
    writeFileSync(join(folder, `${name}.log`), `${[...ordinary, ...service.incidents].sort().join('\n')}\n`)
  }
}

function hex(draw: Draw): string {
  return draw(2 ** 32)
    .toString(16)
    .padStart(8, '0')
}

/** A linear congruential generator: good enough for dull lines. */
function seeded(seed: number): Draw {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
