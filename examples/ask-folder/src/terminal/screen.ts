import { styleText } from 'node:util'
import { cleanText } from '@daybook/cli'

/** `dim` for what stands around the answer, `bold` for headings, `red` for what went wrong. */
export type Style = 'dim' | 'bold' | 'red'

/** A terminal, or what takes its place. Whatever is written is cleaned first, since most of it comes from elsewhere. */
export interface Screen {
  readonly columns: number
  /** A piece of a line. */
  readonly write: (text: string) => void
  readonly line: (text?: string, style?: Style) => void
}

/** Colours only where the stream is a terminal and `NO_COLOR` is not set. */
export function terminalScreen(stream: NodeJS.WriteStream): Screen {
  return {
    columns: Math.min(Math.max(stream.isTTY ? stream.columns : 80, 40), 120),
    write: (text) => void stream.write(cleanText(text)),
    line(text = '', style) {
      const clean = cleanText(text)
      stream.write(`${style === undefined ? clean : styleText(style, clean, { stream })}\n`)
    },
  }
}
