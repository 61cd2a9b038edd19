const bullet = /^\s*(?:[-*+•]|\d+[.)])\s/
const heading = /^(#{1,6})\s/

/** Whether a file holds text for people, by its name. */
function isProse(path: string): boolean {
  return /(?:^|\/)[^./]+$|\.(?:md|mdx|markdown|txt|adoc|org|rst)$/i.test(path)
}

/**
 * How deep a line stands: a line belongs to the nearest line above that stands less deep. Headings stand over
 * everything, then `[sections]`, then by indentation; a list item stands below a line that is as far indented.
 * Undefined for an empty line. In code `# …` is a comment, so headings count in prose alone.
 */
export function depthOf(line: string, path: string): number | undefined {
  const indent = line.search(/\S/)
  if (indent === -1) return undefined
  const marks = isProse(path) ? heading.exec(line)?.[1] : undefined
  if (marks !== undefined) return marks.length - 10
  if (/^\[.+\]$/.test(line)) return -1
  return line.slice(0, indent).replaceAll('\t', '    ').length + (bullet.test(line) ? 1 : 0)
}
