/** SHA-256 of the UTF-8 bytes of a text, in 64 lower-case hex digits. Handed in by whoever has the platform's own. */
export type Sha256 = (text: string) => string

export const sha256Pattern: RegExp = /^[0-9a-f]{64}$/
