import type { JsonObject, JsonValue } from '@daybook/core'

/**
 * What a provider is to have back with the result of a call, and beside it what a person had the call run with in place of
 * the model's arguments: the call itself must stay as the provider knows it.
 */
export function withChangedArgs(providerMetadata: unknown, changedArgs: unknown): unknown {
  if (changedArgs === undefined) return providerMetadata
  return { ...(providerMetadata as object | undefined), daybook: { changedArgs } }
}

export interface ResultMetadata {
  readonly changedArgs?: JsonValue
  readonly providerMetadata?: JsonObject
}

/** The two again, from what the ledger kept. */
export function splitMetadata(kept: JsonObject | undefined): ResultMetadata {
  const { daybook, ...providerMetadata } = kept ?? {}
  return {
    ...(Object.keys(providerMetadata).length > 0 && { providerMetadata }),
    ...(daybook !== undefined && { changedArgs: (daybook as { readonly changedArgs: JsonValue }).changedArgs }),
  }
}
