import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { InvalidInputError } from '@daybook/core'
import type { LanguageModel } from 'ai'
import { offlineModel } from './offline/offline-model.ts'

export const defaultBaseUrl = 'https://api.openai.com/v1'
export const defaultModel = 'gpt-5-mini'

export interface ChosenModel {
  readonly model: LanguageModel
  readonly name: string
  /** What a person should know about it. */
  readonly about: string
}

/**
 * The model of `OPENAI_API_KEY`, `OPENAI_BASE_URL` and `DAYBOOK_MODEL`, without a key the offline one; or the one that a
 * session `has`. Throws `InvalidInputError` for what is no URL, and where the model of the session needs a key.
 */
export function chooseModel(env: NodeJS.ProcessEnv, has?: string): ChosenModel {
  const apiKey = env.OPENAI_API_KEY
  if (has === undefined ? !apiKey : has === offlineModel.modelId) {
    const why = apiKey ? 'this session has no other' : 'no OPENAI_API_KEY is set'
    const about = `offline: ${why}, so a small program looks for the words of your question and quotes`
    return { model: offlineModel, name: offlineModel.modelId, about }
  }
  if (!apiKey) throw new InvalidInputError('OPENAI_API_KEY', `must be set to go on with ${has}`)
  const baseURL = env.OPENAI_BASE_URL || defaultBaseUrl
  const url = URL.parse(baseURL)
  if (url === null) throw new InvalidInputError('OPENAI_BASE_URL', `must be a URL such as ${defaultBaseUrl}`)
  const name = has ?? (env.DAYBOOK_MODEL || defaultModel)
  const provider = createOpenAICompatible({ name: 'openai-compatible', apiKey, baseURL, includeUsage: true })
  return { model: provider(name), name, about: `at ${url.origin}${url.pathname}` }
}
