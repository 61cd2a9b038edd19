import { tool, type ToolSet } from 'ai'
import { z } from 'zod'
import type { Folder } from './folder.ts'
import { listFolder } from './list.ts'
import { maxNoteCharacters, writeNote } from './note.ts'
import { maxLines, readLines } from './read.ts'
import { maxWordCharacters, maxWords, searchFolder } from '../search/search.ts'

const path = z.string().default('.').describe('relative to the folder')

/** What a model can do with the folder: list, read and search; and write a new file once a person has allowed that file. */
export function folderTools(folder: Folder): ToolSet {
  return {
    list: tool({
      description: 'Lists the entries of the folder, or of a folder in it.',
      inputSchema: z.object({ path }),
      execute: (input) => listFolder(folder, input.path),
    }),
    read: tool({
      description: 'Reads lines of a text file. Lines are numbered from 1.',
      inputSchema: z.object({
        path: z.string().describe('relative to the folder'),
        from: z.int().min(1).default(1),
        count: z.int().min(1).max(maxLines).default(maxLines),
      }),
      execute: (input) => readLines(folder, input.path, input.from, input.count),
    }),
    search: tool({
      description:
        'Finds the lines where words occur near each other, best first, with how many lines hold each word. ' +
        'Finds word forms (retry, retries), common synonyms (start, begin), parts of identifiers (max, retries: maxRetries), ' +
        'dates (12 March: 2026-03-12) and days of the week, and where names in the lines that it found get their value. ' +
        'Give single words that carry the subject.',
      inputSchema: z.object({
        words: z.array(z.string().min(1).max(maxWordCharacters)).min(1).max(maxWords),
        amounts: z.boolean().default(false).describe('prefer lines that say how many, how much or how often'),
        path,
        limit: z.int().min(1).max(30).default(12),
      }),
      execute: (input, { abortSignal }) => searchFolder(folder, input, abortSignal),
    }),
    note: tool({
      description: 'Writes a text into a new file of the folder, when that was asked for. A person is shown it first.',
      inputSchema: z.object({
        path: z.string().min(1).describe('relative to the folder; of a file that does not exist'),
        content: z.string().min(1).max(maxNoteCharacters),
      }),
      needsApproval: true,
      execute: (input) => writeNote(folder, input.path, input.content),
    }),
  }
}
