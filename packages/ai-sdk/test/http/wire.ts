/** What a model says in one step, before it is put into a provider's wire format. */
export interface WireStep {
  readonly thinking?: { readonly text: string; readonly signature: string }
  readonly text?: readonly string[]
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly args: string }[]
  readonly end: 'stop' | 'tools' | 'length'
}

/** Server-sent events of OpenAI's chat completions, one a piece. */
export function openAiEvents({ thinking, text = [], calls = [], end }: WireStep): string[] {
  const event = (delta: object, more: object = {}): string =>
    `data: ${JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'm',
      choices: [{ index: 0, delta, finish_reason: null, ...more }],
    })}\n\n`
  return [
    event({ role: 'assistant', content: '' }),
    ...(thinking ? [event({ reasoning_content: thinking.text })] : []),
    ...text.map((content) => event({ content })),
    ...calls.flatMap(({ id, name, args }, index) => [
      event({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...halves(args).map((piece) => event({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    event({}, { finish_reason: { stop: 'stop', tools: 'tool_calls', length: 'length' }[end] }),
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [], usage: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27 } })}\n\n`,
    'data: [DONE]\n\n',
  ]
}

/** Server-sent events of Anthropic's messages, one a piece. */
export function anthropicEvents({ thinking, text = [], calls = [], end }: WireStep): string[] {
  const event = (type: string, fields: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
  let index = -1
  const block = (content_block: object, deltas: readonly object[]): string[] => {
    index += 1
    return [
      event('content_block_start', { index, content_block }),
      ...deltas.map((delta) => event('content_block_delta', { index, delta })),
      event('content_block_stop', { index }),
    ]
  }
  return [
    event('message_start', {
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 20, output_tokens: 1 },
      },
    }),
    ...(thinking
      ? block({ type: 'thinking', thinking: '', signature: '' }, [
          { type: 'thinking_delta', thinking: thinking.text },
          { type: 'signature_delta', signature: thinking.signature },
        ])
      : []),
    ...(text.length > 0
      ? block(
          { type: 'text', text: '' },
          text.map((piece) => ({ type: 'text_delta', text: piece })),
        )
      : []),
    ...calls.flatMap(({ id, name, args }) =>
      block(
        { type: 'tool_use', id, name, input: {} },
        halves(args).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      ),
    ),
    event('message_delta', {
      delta: { stop_reason: { stop: 'end_turn', tools: 'tool_use', length: 'max_tokens' }[end], stop_sequence: null },
      usage: { output_tokens: 7 },
    }),
    event('message_stop', {}),
  ]
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}
