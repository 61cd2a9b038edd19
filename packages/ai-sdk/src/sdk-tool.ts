import type { ToolSet } from 'ai'

/** What is read and set of a tool. It is described here because the majors of the SDK type it differently. */
export interface SdkTool {
  readonly type?: string
  /** Of a tool of type `provider`, since `ai` 7. */
  readonly isProviderExecuted?: boolean
  readonly needsApproval?: boolean | ((input: unknown, options: unknown) => unknown) | undefined
  readonly execute?: (input: unknown, options: ToolOptions) => unknown
}

interface ToolOptions {
  readonly toolCallId: string
}

/** Other tools under the same names; one of which there is none is left out. */
export function mapTools(tools: ToolSet, map: (tool: SdkTool, name: string) => SdkTool | undefined): ToolSet {
  const mapped = Object.entries(tools as Record<string, SdkTool>).map(
    ([name, tool]) => [name, map(tool, name)] as const,
  )
  return Object.fromEntries(mapped.filter(([, tool]) => tool !== undefined)) as ToolSet
}
