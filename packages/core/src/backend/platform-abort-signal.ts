/**
 * The platform's `AbortSignal` where the reader's types have one (DOM or Node.js), else the part of it that is used.
 * Core is compiled without either.
 */
export type PlatformAbortSignal = typeof globalThis extends { AbortSignal: { prototype: infer Signal } }
  ? Signal
  : { readonly aborted: boolean; readonly reason: unknown }
