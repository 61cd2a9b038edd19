/** Folders that no question is about. */
const always = ['.git', 'node_modules']

/**
 * Says which paths are left out: the two names above, and what the text of a `.gitignore` in the root of the folder
 * names. Paths are relative, with `/`. Only the rules of that one file count; the last that matches decides.
 */
export function ignoreRules(gitignore: string): (path: string) => boolean {
  const rules = [...gitignore.split('\n'), ...always].flatMap((line) => {
    const rule = line.trim()
    // A pattern with many stars can take very long to match.
    if (rule === '' || rule.startsWith('#') || rule.split('*').length > 9) return []
    const glob = rule.replace(/^!/, '').replace(/\/$/, '')
    const prefix = glob.includes('/') ? '^' : '^(?:.*/)?'
    const body = glob
      .replace(/^\//, '')
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replace(/\*+|\?/g, (star) => (star === '**' ? '.*' : star === '?' ? '[^/]' : '[^/]*'))
    return [{ pattern: new RegExp(`${prefix}${body}(?:/|$)`), ignored: !rule.startsWith('!') }]
  })
  return (path) => rules.reduce((ignored, rule) => (rule.pattern.test(path) ? rule.ignored : ignored), false)
}
