import type { PermissionMode, SessionRecord } from '../ports/session-store.ts'

/**
 * What becomes of a call of this tool: as the first rule says that names it, else as the session's mode says where the tool
 * needs a person's leave, and it runs (`bypass`) where it needs none.
 */
export function permissionFor(
  { permissionMode, permissionRules }: Pick<SessionRecord, 'permissionMode' | 'permissionRules'>,
  toolName: string,
  needsLeave: boolean,
): PermissionMode {
  const rule = permissionRules.find(({ tool }) => names(tool, toolName))
  return rule?.mode ?? (needsLeave ? permissionMode : 'bypass')
}

function names(pattern: string, toolName: string): boolean {
  return pattern.endsWith('*') ? toolName.startsWith(pattern.slice(0, -1)) : pattern === toolName
}
