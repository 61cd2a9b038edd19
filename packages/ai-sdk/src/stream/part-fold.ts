import { type Clock, UnsupportedError } from '@daybook/core'
import type { ApprovedCall } from '@daybook/core/backend-types'
import { maxEventBytes } from '@daybook/core/canonical-runtime-event'
import type { SessionEvent } from '@daybook/core/events'
import { RefusedBySession } from '../permitted-tools.ts'
import { withoutUndefined } from '../without-undefined.ts'
import { describeError } from './describe-error.ts'
import type { Emit } from './emit.ts'
import { createSpans } from './spans.ts'
import { stopReason } from './stop-reason.ts'
import type { Finish, SdkFile, StreamPart, ToolApprovalRequest } from './stream-part.ts'
import { tokenUsage } from './token-usage.ts'
import { createToolCalls, type Executions } from './tool-calls.ts'

/**
 * Folds the parts of one SDK stream into the session events of one turn. After any number of parts exactly one of the
 * endings is called; it completes what is open and gives the turn's one terminal. Ids count from 1 in the turn, so the
 * same parts give the same events.
 */
export interface PartFold {
  push(part: StreamPart): readonly SessionEvent[]
  /** The stream came to its end. */
  complete(): readonly SessionEvent[]
  fail(error: unknown): readonly SessionEvent[]
  abort(source: string | undefined): readonly SessionEvent[]
}

/** What the events of a turn depend on beside its parts. */
export interface FoldedTurn {
  readonly turnId: string
  readonly invocationId: string
  /** How long a person has to answer; undefined: no limit. */
  readonly approvalExpiresInMs?: number | undefined
  /** Calls that a person approved: they are open from the beginning. */
  readonly approvedCalls?: readonly ApprovedCall[]
  /** The calls that the turn asked about before. */
  readonly askedCallIds?: readonly string[]
  /** Whether nothing here answers calls of this tool, and a person does. */
  readonly isAnsweredByPerson: (toolName: string) => boolean
}

/** Leaves room for everything else in the event. */
const maxFileLength = maxEventBytes - 64 * 1024
const noReason = 'no reason was given'

type AskedCall = ToolApprovalRequest['toolCall']
type Handlers = { readonly [Type in StreamPart['type']]: (part: Extract<StreamPart, { type: Type }>) => void }

export function createPartFold(turn: FoldedTurn, executions: Executions, now: Clock): PartFold {
  const { turnId, invocationId, approvalExpiresInMs: expiresInMs, isAnsweredByPerson } = turn
  let events: SessionEvent[] = []
  let eventCount = 0
  let requestCount = 0
  let stepCount = 0
  let calledInStep = false
  let failed = false
  let finish: Finish | undefined

  const stepId = (): string | undefined => (stepCount === 0 ? undefined : `step-${stepCount}`)
  const emit: Emit = (body, ofStep = stepId()) => {
    eventCount += 1
    events.push({
      id: `ai-sdk-${eventCount}`,
      turnId,
      ts: now(),
      ...body,
      ...(ofStep !== undefined && { stepId: ofStep }),
    })
  }
  const emitted = (): readonly SessionEvent[] => {
    const taken = events
    events = []
    return taken
  }
  const emitError = (error: unknown): void => {
    failed = true
    emit({ type: 'error', ...describeError(error) })
  }
  const keep = (name: string, value: unknown): void => emit({ type: 'custom', name: `ai-sdk:${name}`, value })
  const keepWhole = (part: { readonly type: string; readonly error?: unknown }): void =>
    keep(part.type, part.error instanceof Error ? { ...part, error: describeError(part.error) } : part)
  /** Better without its bytes than a turn that fails for a picture too many. */
  const unlessTooLarge = (file: SdkFile, keepFile: (file: SdkFile) => void): void => {
    const { mediaType, base64 } = file
    if (base64.length <= maxFileLength) keepFile(file)
    else keep('file-too-large', { mediaType, base64Length: base64.length })
  }

  const texts = createSpans('text', emit)
  const thinkings = createSpans('thinking', emit)
  const calls = createToolCalls(emit, executions, new Set(turn.askedCallIds))
  for (const call of turn.approvedCalls ?? []) calls.resume(call)
  /** False where no such call is open. */
  const ask = (
    request: 'approval' | 'answer',
    { toolCallId, toolName, input }: AskedCall,
    reason?: string,
  ): boolean => {
    const ownId = calls.awaitPerson(toolCallId)
    if (ownId === undefined) return false
    requestCount += 1
    const base = withoutUndefined({ requestId: `${invocationId}:${requestCount}`, toolCallId: ownId, expiresInMs })
    const payload = { toolName, args: input ?? null, ...withoutUndefined({ reason }) }
    if (request === 'approval') emit({ type: 'sandbox_boundary_request', ...base, request: payload })
    else emit({ type: 'user_question_request', ...base, question: payload })
    return true
  }
  const interruptSpans = (): void => {
    texts.interrupt()
    thinkings.interrupt()
  }
  /** Only for a turn that waits may calls stay open. */
  const end = (terminal: Parameters<Emit>[0]): readonly SessionEvent[] => {
    interruptSpans()
    if (terminal.type !== 'complete' || terminal.stopReason !== 'waiting') calls.close()
    emit(terminal)
    return emitted()
  }

  const handlers: Handlers = {
    start: () => undefined,
    ping: () => undefined,
    'start-step': ({ warnings = [] }) => {
      stepCount += 1
      calledInStep = false
      if (warnings.length > 0) keep('warnings', warnings)
    },
    'text-start': (part) => texts.start(part.id, part.providerMetadata),
    'text-delta': (part) => texts.append(part.id, part.text, part.providerMetadata),
    'text-end': ({ id, providerMetadata, citations = [] }) => {
      const messageId = texts.end(id, providerMetadata)
      if (citations.length > 0) keep('citations', { messageId: messageId ?? null, citations })
    },
    'reasoning-start': (part) => thinkings.start(part.id, part.providerMetadata),
    'reasoning-delta': (part) => thinkings.append(part.id, part.text, part.providerMetadata),
    'reasoning-end': (part) => void thinkings.end(part.id, part.providerMetadata),
    'tool-input-start': (part) => calls.announce(part.id, part.toolName),
    'tool-input-delta': (part) => calls.appendInput(part.id, part.delta),
    'tool-input-end': () => undefined,
    'tool-call': (part) => {
      calls.start(part, stepId())
      if (part.providerExecuted) return
      calledInStep = true
      if (!part.invalid && isAnsweredByPerson(part.toolName)) ask('answer', part)
    },
    'tool-result': (part) => void (calls.succeed(part) || keepWhole(part)),
    'tool-error': (part) => {
      const { toolCallId, error } = part
      const isTaken = error instanceof RefusedBySession ? calls.deny(toolCallId, error.message) : calls.fail(part)
      if (!isTaken) keepWhole(part)
    },
    // Says once more what a refusing response said.
    'tool-output-denied': (part) => void calls.deny(part.toolCallId, noReason),
    'tool-approval-request': (part) => {
      const { toolCall, isAutomatic, reason } = part
      if (toolCall.providerExecuted) {
        keepWhole(part)
        if (!isAutomatic) emitError(new UnsupportedError('approvals of what the provider runs', 'this backend'))
      } else if (!isAutomatic && isAnsweredByPerson(toolCall.toolName)) {
        // Asked with its call.
      } else if (isAutomatic || !ask('approval', toolCall, reason)) keepWhole(part)
    },
    'tool-approval-response': (part) => {
      keepWhole(part)
      if (!part.approved) calls.deny(part.toolCall.toolCallId, part.reason ?? noReason)
    },
    source: ({ id, url, title, filename, mediaType, providerMetadata }) =>
      emit({
        type: 'source',
        sourceId: id,
        ...withoutUndefined({ url, title: title ?? filename, mediaType, providerMetadata }),
      }),
    file: ({ file, providerMetadata }) =>
      unlessTooLarge(file, ({ mediaType, base64 }) => {
        const messageId = `file-${eventCount + 1}`
        emit({ type: 'file', messageId, mediaType, data: base64, ...withoutUndefined({ providerMetadata }) })
      }),
    // No file of the answer: a model drew it while it thought.
    'reasoning-file': ({ file, ...part }) =>
      unlessTooLarge(file, ({ mediaType, base64 }) => keep(part.type, { ...part, file: { mediaType, base64 } })),
    'finish-step': (part) => {
      interruptSpans()
      const usage = tokenUsage(part.usage)
      if (usage !== undefined) emit({ type: 'token_usage', usage })
    },
    // Its total is the sum of the steps, which are recorded.
    finish: (part) => {
      finish = part
    },
    error: (part) => emitError(part.error),
    // Not by our signal, after which nothing is pushed: a time limit of the SDK.
    abort: (part) => emitError({ name: 'sdk_aborted', message: part.reason ?? 'the SDK aborted the call' }),
  }

  return {
    push: (part) => {
      if (Object.hasOwn(handlers, part.type)) (handlers[part.type] as (part: StreamPart) => void)(part)
      else keepWhole(part)
      return emitted()
    },
    complete: () => {
      const reason = stopReason(finish, { awaitsAnswer: calls.hasAwaited(), called: calledInStep })
      if (!failed && typeof reason !== 'string') emitError(new Error(reason.problem))
      return end({ type: 'complete', stopReason: failed || typeof reason !== 'string' ? 'error' : reason })
    },
    fail: (error) => {
      emitError(error)
      return end({ type: 'complete', stopReason: 'error' })
    },
    abort: (source) => end({ type: 'abort', ...withoutUndefined({ source }) }),
  }
}
