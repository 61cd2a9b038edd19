/** A session as simply as it can be kept. */
export interface ModelSession {
  readonly id: string
  readonly tenant: string
  readonly parent: string | null
  title: string | null
  labels: readonly string[]
  archived: boolean
  revision: number
  readonly said: { readonly text: string; readonly order: number }[]
  readonly order: number
}

/** What sessions, listings and search should say, computed from all there is. */
export class SessionModel {
  readonly sessions: Map<string, ModelSession> = new Map()
  #order = 0

  create(session: Pick<ModelSession, 'id' | 'tenant' | 'parent' | 'title' | 'labels'>): void {
    this.sessions.set(session.id, { ...session, archived: false, revision: 1, said: [], order: this.#next() })
  }

  say(id: string, text: string): void {
    this.sessions.get(id)!.said.push({ text, order: this.#next() })
  }

  branchesOf(id: string): ModelSession[] {
    return this.#all().filter(({ parent }) => parent === id)
  }

  /** Removes the session and everything below it. */
  remove(id: string): void {
    for (const branch of this.branchesOf(id)) this.remove(branch.id)
    this.sessions.delete(id)
  }

  list(tenant: string, archived: boolean | 'any', label: string | null, parent: string | null): string[] {
    return this.#all()
      .filter((session) => session.tenant === tenant)
      .filter((session) => archived === 'any' || session.archived === archived)
      .filter((session) => label === null || session.labels.includes(label))
      .filter((session) => parent === null || session.parent === parent)
      .map(({ id }) => id)
      .sort()
  }

  search(tenant: string, query: string): string[] {
    const sessions = this.#all().filter((session) => session.tenant === tenant)
    const titles = sessions.map(({ id, title, order }) => ({ id, text: title ?? '', order }))
    const said = sessions.flatMap(({ id, said: texts }) => texts.map((one) => ({ id, ...one })))
    return [titles, said].flatMap((texts) =>
      texts
        .filter(({ text }) => matches(query, text))
        .sort((a, b) => b.order - a.order)
        .map(({ id, text }) => `${id}: ${text}`),
    )
  }

  #all(): ModelSession[] {
    return [...this.sessions.values()]
  }

  #next(): number {
    return (this.#order += 1)
  }
}

function matches(query: string, text: string): boolean {
  const words = modelWords(text)
  const wanted = [...new Set(modelWords(query))]
  const beginning = wanted.pop()!
  return wanted.every((word) => words.includes(word)) && words.some((word) => word.startsWith(beginning))
}

/** As far as the words of the histories go. */
export function modelWords(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll('ü', 'u')
    .replaceAll('赤い', '赤 い')
    .split(' ')
    .filter((word) => !/^-?$/.test(word))
}
