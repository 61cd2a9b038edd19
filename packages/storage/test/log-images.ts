/** What a crash, or a disk, may leave of a write-ahead log. */
export interface LogDamage {
  readonly name: string
  /** Returns a log that is whole up to the frame in which the position lies, and not there. */
  readonly damage: (log: Buffer, position: number) => Buffer
}

export const damages: readonly LogDamage[] = [
  { name: 'a cut', damage: (log, position) => log.subarray(0, position) },
  {
    name: 'a flipped bit',
    damage(log, position) {
      const image = Buffer.from(log)
      image[position]! ^= 1 << (position % 8)
      return image
    },
  },
  {
    name: 'a sector that was never written',
    damage(log, position) {
      const start = Math.max(frameStart(position), position - (position % 512))
      const end = Math.min(log.length, start + 512)
      // Where there were zeros before, nothing is damaged.
      return log.subarray(start, end).some((byte) => byte !== 0)
        ? Buffer.from(log).fill(0, start, end)
        : log.subarray(0, position)
    },
  },
  {
    name: 'frames that were never written',
    damage: (log, position) => Buffer.from(log).fill(0, frameStart(position)),
  },
]

const headerBytes = 32
const frameHeaderBytes = 24
const frameBytes = frameHeaderBytes + 4096

/** The number of the frame in which the byte lies; −1 for the header of the log, whose loss is that of all. */
export function frameAt(position: number): number {
  return Math.floor((position - headerBytes) / frameBytes)
}

/** How many transactions lie wholly in front of the frame, in the part of the log that was written last. */
export function completeCommits(log: Buffer, frame: number): number {
  const salts = log.subarray(16, 24)
  let commits = 0
  for (let index = 0; index < frame; index += 1) {
    const header = log.subarray(headerBytes + index * frameBytes).subarray(0, frameHeaderBytes)
    // What follows was left by an earlier use of the log.
    if (header.length < frameHeaderBytes || !header.subarray(8, 16).equals(salts)) break
    const pagesOfFile = header.readUInt32BE(4)
    if (pagesOfFile > 0) commits += 1
  }
  return commits
}

function frameStart(position: number): number {
  return Math.max(0, headerBytes + frameAt(position) * frameBytes)
}
