import type { Clock, SessionRecord } from '@daybook/core'
import type { LanguageModel, streamText, ToolSet } from 'ai'

/** A value for every session, or a function that picks it for one; it is called once a turn. */
export type OfSession<T> = T | ((session: SessionRecord) => T | Promise<T>)

/** Passed to the SDK's `streamText` as they are: `temperature`, `maxRetries`, `timeout`, `providerOptions`, `prepareStep`, … */
export type AiSdkSettings = Omit<Partial<Parameters<typeof streamText>[0]>, OwnSetting>

/** What the backend sets itself. */
type OwnSetting =
  | 'model'
  | 'tools'
  | 'system'
  | 'instructions'
  | 'prompt'
  | 'messages'
  | 'allowSystemInMessages'
  | 'abortSignal'
  | 'stopWhen'
  | 'onError'
  | 'onToolExecutionStart'
  | 'onToolExecutionEnd'
  | 'experimental_onToolCallStart'
  | 'experimental_onToolCallFinish'

export interface AiSdkBackendOptions {
  readonly model: OfSession<LanguageModel>
  /**
   * A tool that needs approval, or one without `execute`, asks a person and ends the turn as waiting. What asks, what is
   * refused and what runs is for the session's permission mode and rules to say.
   */
  readonly tools?: OfSession<ToolSet>
  readonly system?: OfSession<string>
  /** How long a person has to answer, in ms; then it counts as denied. Left out: no limit. */
  readonly approvalExpiresInMs?: number
  /**
   * Model calls a turn makes at most before it ends or waits for a person; 20 when left out. A turn that would need more
   * ends with `step_limit`.
   */
  readonly maxSteps?: number
  readonly settings?: OfSession<AiSdkSettings>
  /** The `streamText` to call, where it is not that of the `ai` package this package finds. */
  readonly streamText?: StreamText
  /** Stamps the events; `Date.now` when left out. */
  readonly now?: Clock
}

/** All that is used of `streamText`, in both majors. Parameters are checked where it is called, as the majors differ. */
export type StreamText = (options: never) => {
  /** Since `ai` 7, which calls `fullStream` deprecated. */
  readonly stream?: AsyncIterable<{ readonly type: string }>
  readonly fullStream: AsyncIterable<{ readonly type: string }>
}
