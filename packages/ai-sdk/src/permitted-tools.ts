import { permissionFor, type SessionRecord } from '@daybook/core'
import type { ToolSet } from 'ai'
import { mapTools, type SdkTool } from './sdk-tool.ts'

/** What a tool throws in place of running where the session refuses the call. */
export class RefusedBySession extends Error {
  constructor(toolName: string) {
    super(`This session does not allow the tool "${toolName}".`)
  }
}

export interface PermittedTools {
  readonly tools: ToolSet | undefined
  /** For `ai` 7, where it decides in place of the `needsApproval` of the tools. */
  readonly toolApproval: unknown
}

/**
 * The tools of a turn as its session lets them run: a call about which it asks needs approval, and one that it refuses
 * throws `RefusedBySession` in place of running. A tool that the provider runs cannot be held back: it is left out where
 * it would have to be.
 */
export function permittedTools(
  tools: ToolSet | undefined,
  toolApproval: unknown,
  session: SessionRecord,
): PermittedTools {
  // By tool, the inputs themselves: the SDK hands to the tool what it asked about.
  const refused = new Map<string, Set<unknown>>()
  const asks = (toolName: string, needsLeave: boolean, input: unknown): boolean => {
    const mode = permissionFor(session, toolName, needsLeave)
    if (mode === 'deny') refused.set(toolName, (refused.get(toolName) ?? new Set()).add(input))
    return mode === 'ask'
  }
  const permitted = (tool: SdkTool, toolName: string): SdkTool | undefined => {
    const { needsApproval, execute } = tool
    if (execute === undefined) return permittedElsewhere(tool, toolName, session)
    // Whoever calls it, and whether or not they ask first.
    const isRefused = permissionFor(session, toolName, false) === 'deny'
    return {
      ...tool,
      needsApproval: async (input, options) => {
        const needsLeave =
          typeof needsApproval === 'function' ? await needsApproval.call(tool, input, options) : needsApproval
        return asks(toolName, Boolean(needsLeave), input)
      },
      // Not async: the SDK looks whether it is given an iterable of previews.
      execute: (input, options) =>
        isRefused || refused.get(toolName)?.has(input) ? refuse(toolName) : execute.call(tool, input, options),
    }
  }
  return {
    tools: tools && mapTools(tools, permitted),
    toolApproval: toolApproval && permittedApproval(toolApproval, asks),
  }
}

/** A tool that nothing here runs: the provider does, or its calls always need a person, who answers for it. */
function permittedElsewhere(tool: SdkTool, toolName: string, session: SessionRecord): SdkTool | undefined {
  if (tool.type === 'provider' && tool.isProviderExecuted !== false) {
    return permissionFor(session, toolName, false) === 'bypass' ? tool : undefined
  }
  const isRefused = permissionFor(session, toolName, true) === 'deny'
  // Who answers is not asked for leave as well.
  return { ...tool, needsApproval: undefined, ...(isRefused && { execute: () => refuse(toolName) }) }
}

function refuse(toolName: string): never {
  throw new RefusedBySession(toolName)
}

type Asks = (toolName: string, needsLeave: boolean, input: unknown) => boolean
type Status = string | { readonly type: string } | undefined
type Decide = (...given: readonly unknown[]) => Status | PromiseLike<Status>

interface DecideOptions {
  readonly toolCall: { readonly toolName: string; readonly input: unknown }
}

/** The setting `toolApproval` of `ai` 7, a function or one entry a tool, followed by what the session says. */
function permittedApproval(toolApproval: unknown, asks: Asks): unknown {
  const permitted = (toolName: string, status: Status, input: unknown): Status => {
    const type = typeof status === 'object' ? status.type : status
    if (type === 'denied') return status
    if (asks(toolName, type === 'user-approval', input)) return type === 'user-approval' ? status : 'user-approval'
    return type === 'approved' ? status : 'not-applicable'
  }
  if (typeof toolApproval === 'function') {
    return async (options: DecideOptions) =>
      permitted(options.toolCall.toolName, await (toolApproval as Decide)(options), options.toolCall.input)
  }
  const entries = Object.entries(toolApproval as Readonly<Record<string, Status | Decide>>)
  return Object.fromEntries(
    entries.map(([toolName, given]) => [
      toolName,
      // Where nothing is given the tool decides.
      given &&
        (async (input: unknown, options: unknown) =>
          permitted(toolName, typeof given === 'function' ? await given(input, options) : given, input)),
    ]),
  )
}
