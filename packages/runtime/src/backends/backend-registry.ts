import { checkId, InvalidInputError, UnknownBackendError } from '@daybook/core'
import type { AgentBackend, BackendContext, BackendFactory } from '@daybook/core/backend-types'

/** The kinds of backend that this process can build. */
export class BackendRegistry {
  readonly #factories = new Map<string, BackendFactory>()

  /**
   * Sets how backends of this kind are built; a later call for the same kind replaces it for sessions not yet built.
   * Throws `InvalidIdError` for the kind and `InvalidInputError` for a factory that is no function.
   */
  register(kind: string, factory: BackendFactory): void {
    if (typeof factory !== 'function') {
      throw new InvalidInputError('factory', `of backend kind "${kind}" must be a function that returns a backend`)
    }
    this.#factories.set(checkId('kind', kind), factory)
  }

  has(kind: string): boolean {
    return this.#factories.has(kind)
  }

  /** Throws `UnknownBackendError`, which names the known kinds. */
  check(kind: string): void {
    this.#factory(kind)
  }

  /**
   * Builds the backend of one session. Throws `UnknownBackendError`, whatever the factory throws, and `InvalidInputError`
   * when what it returns has not the methods of a backend.
   */
  async build(kind: string, context: BackendContext): Promise<AgentBackend> {
    const backend: unknown = await this.#factory(kind)(context)
    for (const method of ['send', 'stop', 'dispose'] as const) {
      if (typeof (backend as Partial<AgentBackend> | undefined | null)?.[method] === 'function') continue
      throw new InvalidInputError(
        'factory',
        `of backend kind "${kind}" returned no backend: it has no method "${method}"`,
      )
    }
    return backend as AgentBackend
  }

  #factory(kind: string): BackendFactory {
    const factory = this.#factories.get(kind)
    if (factory === undefined) throw new UnknownBackendError(kind, [...this.#factories.keys()])
    return factory
  }
}
