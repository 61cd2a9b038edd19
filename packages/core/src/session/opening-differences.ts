import { encodeCanonicalJson } from '../json/canonical-json.ts'
import type { SessionRecord } from '../ports/session-store.ts'
import type { InvocationOpenedContent } from '../runtime-event/content.ts'

/** How an opening differs from the revision of the session that it says it runs with, in words. */
export function openingDifferences(
  { route, configuration }: InvocationOpenedContent,
  session: SessionRecord,
): string[] {
  const fields: readonly (readonly [field: string, opened: unknown, recorded: unknown])[] = [
    ['backend', route.backendKind, session.backendKind],
    ['connection', route.llmConnectionSlug ?? null, session.llmConnectionSlug],
    ['model', route.model ?? null, session.model],
    ['folder', configuration.cwd ?? null, session.cwd],
    ['permission mode', configuration.permissionMode, session.permissionMode],
    ['permission rules', configuration.permissionRules ?? [], session.permissionRules],
    ['settings', configuration.settings ?? {}, session.settings],
  ]
  return fields.flatMap(([field, opened, recorded]) => {
    const [opens, records] = [encodeCanonicalJson(opened), encodeCanonicalJson(recorded)]
    return opens === records ? [] : [`says ${field} ${opens}; revision ${session.revision} says ${records}`]
  })
}
