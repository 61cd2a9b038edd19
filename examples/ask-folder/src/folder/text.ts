import { type Folder, FolderError, readFile } from './folder.ts'

/** A larger file is not read, in bytes. */
export const maxFileBytes: number = 8 * 1024 * 1024

/** The text of a file. Refuses what is larger than `maxFileBytes` and what holds a NUL among its first 8192 bytes. */
export async function readText(folder: Folder, path: string): Promise<string> {
  const bytes = await readFile(folder, path, async (file) => {
    const { size } = await file.stat()
    // A file that grows while it is read stays bounded by the buffer.
    const buffer = Buffer.allocUnsafe(Math.min(size, maxFileBytes + 1))
    let length = 0
    for (let bytesRead = -1; bytesRead !== 0; length += bytesRead)
      ({ bytesRead } = await file.read(buffer, length, buffer.length - length, length))
    return buffer.subarray(0, length)
  })
  if (bytes.length > maxFileBytes) throw new FolderError(`${path} is too large: more than ${maxFileBytes} bytes`)
  if (bytes.subarray(0, 8192).includes(0)) throw new FolderError(`${path} is a binary file`)
  return new TextDecoder().decode(bytes)
}

/** The lines of a text without their ends; a last empty line does not count. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
