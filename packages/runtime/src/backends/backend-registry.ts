import { UnknownBackendError } from '@daybook/core'
import type { AgentBackend, BackendContext, BackendFactory } from '@daybook/core/backend-types'

/** The kinds of backend that this process can build. */
export class BackendRegistry {
  readonly #factories = new Map<string, BackendFactory>()

  /** Sets how backends of this kind are built; a later call for the same kind replaces it for sessions not yet built. */
  register(kind: string, factory: BackendFactory): void {
    this.#factories.set(kind, factory)
  }

  has(kind: string): boolean {
    return this.#factories.has(kind)
  }

  /** Throws `UnknownBackendError`, which names the known kinds. */
  check(kind: string): void {
    this.#factory(kind)
  }

  /** Builds the backend of one session. Throws `UnknownBackendError`, and whatever the factory throws. */
  async build(kind: string, context: BackendContext): Promise<AgentBackend> {
    return this.#factory(kind)(context)
  }

  #factory(kind: string): BackendFactory {
    const factory = this.#factories.get(kind)
    if (factory === undefined) throw new UnknownBackendError(kind, [...this.#factories.keys()])
    return factory
  }
}
