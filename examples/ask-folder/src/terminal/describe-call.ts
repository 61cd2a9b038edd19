import type { FolderList } from '../folder/list.ts'
import type { FileLines } from '../folder/read.ts'
import type { SearchResult } from '../search/search.ts'

/** A tool call in a few words, such as `read src/main.ts, from 3`. The arguments are what the model wrote. */
export function describeCall(toolName: string, args: unknown): string {
  const given = Object.entries(typeof args === 'object' && args !== null ? args : { input: args })
  const isSubject = (name: string): boolean => name === 'words' || name === 'path'
  const subject = given.flatMap(([name, value]) => (isSubject(name) ? [value].flat() : []))
  const details = given.flatMap(([name, value]) => (isSubject(name) ? [] : [`, ${name} ${JSON.stringify(value)}`]))
  return [toolName, ...subject].join(' ') + details.join('')
}

/** What a tool returned, in a few words. */
export function describeResult(toolName: string, outcome: string, result: unknown): string {
  if (outcome !== 'ok') return `${outcome}: ${typeof result === 'string' ? result : JSON.stringify(result)}`
  const { entries, more = 0 } = Object(result) as Partial<FolderList>
  if (toolName === 'list' && entries !== undefined) return `${entries.length + more} entries`
  const { from = 1, lines, of } = Object(result) as Partial<FileLines>
  if (toolName === 'read' && lines !== undefined) return `${lines.length} lines from line ${from} of ${of}`
  const { places, files } = Object(result) as Partial<SearchResult>
  if (toolName === 'search' && places !== undefined) return `${places.length} places in ${files} files`
  return String(JSON.stringify(result))
}
