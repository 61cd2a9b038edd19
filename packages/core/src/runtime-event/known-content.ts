import {
  anything,
  arrayOf,
  count,
  byKind,
  finiteNumber,
  id,
  matching,
  object,
  oneOf,
  shape,
  text,
} from '../json/check.ts'
import type { Check } from '../json/check.ts'
import type { InvocationSource, KnownContent, RuntimeEventContent, ToolOutcome } from './content.ts'
import { toolName } from './names.ts'

const kind = anything
const yes = oneOf(true)
export const toolOutcome: Check = oneOf<ToolOutcome>('ok', 'error', 'denied', 'not_answered', 'unknown')
const fromProvider = { providerMetadata: object }

const invocationSource = {
  fresh: shape({ kind }),
  retry: shape({ kind, supersedes: id }),
  continuation: shape({ kind, of: id }),
} satisfies Record<InvocationSource['kind'], Check>

const knownContent = {
  text: shape({ kind, text }, { interrupted: yes, ...fromProvider }),
  thinking: shape({ kind, text }, { interrupted: yes, ...fromProvider }),
  function_call: shape(
    { kind, toolCallId: id, name: toolName, args: anything },
    { providerExecuted: yes, ...fromProvider },
  ),
  function_response: shape(
    { kind, toolCallId: id, name: toolName, outcome: toolOutcome, result: anything },
    { durationMs: finiteNumber, providerExecuted: yes, ...fromProvider },
  ),
  error: shape({ kind, message: text }, { code: text }),
  blob: shape({
    kind,
    digest: matching(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 lower-case hex digits'),
    mediaType: text,
    bytes: count,
  }),
  file: shape({ kind, mediaType: text, data: text }, fromProvider),
  source: shape({ kind, sourceId: text }, { url: text, title: text, mediaType: text, ...fromProvider }),
  invocation_opened: shape(
    {
      kind,
      protocol: oneOf('invocation_opened_v1'),
      route: shape({ backendKind: text }, { llmConnectionSlug: text, model: text }),
      configuration: shape(
        { permissionMode: text, revision: count },
        { cwd: text, permissionRules: arrayOf(object), settings: object },
      ),
      root: shape({ kind: text }),
      source: byKind(invocationSource, 'refuse'),
    },
    { lineage: shape({ parentInvocationId: id }, { parentToolCallId: id }) },
  ),
} satisfies Record<KnownContent['kind'], Check>

/** Content of a known kind in full, of any other kind whole. */
export const contentOfAnyKind: Check = byKind(knownContent, 'keep')
const contentOfKnownKind = byKind(knownContent, 'refuse')

/**
 * Narrows content to the kinds of this version, so that `kind` discriminates. False also for a known kind whose fields
 * are not what it says: reductions skip such a row of a foreign ledger.
 */
export function isKnownContent(content: RuntimeEventContent | undefined): content is KnownContent {
  return content !== undefined && contentOfKnownKind(content, true) === undefined
}
