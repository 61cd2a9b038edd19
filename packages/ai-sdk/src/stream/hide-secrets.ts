const hidden = '[hidden]'

/**
 * Where messages of HTTP clients and providers were seen to hold keys, each with what is left of it. All that comes before
 * a fixed character is of bounded length: without a bound the time grows with the square of the text.
 */
const places: readonly (readonly [place: RegExp, left: string])[] = [
  // What the platform says of a key with a line break in it.
  [/"[^"]{0,1000}" is an invalid header value/g, `"${hidden}" is an invalid header value`],
  [/\b((?:Bearer|Basic)(?: {1,8}|%20))[\w.~+/=-]{16,}/gi, `$1${hidden}`],
  [/(:\/\/)[^\s/?#@]{1,1000}@/g, `$1${hidden}@`],
  [/([?&][\w.-]{0,40}(?:key|token|secret|signature|sig|password|credential)[\w.-]{0,40}=)[^\s&#"']+/gi, `$1${hidden}`],
  // Keys of common providers, by what they begin with.
  [/(?:\b|(?<=%[\dA-F]{2}))(?:(?:sk|pk|rk|gsk|hf|xai|ghp)[-_][\w-]{16,}|AIza[\w-]{30,})/g, hidden],
]

/** The text without what looks like a key in it. A key that looks like a word is not known for one. */
export function hideSecrets(text: string): string {
  return places.reduce((left, [place, replacement]) => left.replace(place, replacement), text)
}
