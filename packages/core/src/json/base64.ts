const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const digits = Array.from(alphabet, (digit) => digit.charCodeAt(0))

/** A multiple of three; its digits fit in the arguments of one call. */
const bytesPerPiece = 6144

/** The bytes in base64 with padding (RFC 4648, section 4). */
export function encodeBase64(bytes: Uint8Array): string {
  let text = ''
  for (let start = 0; start < bytes.length; start += bytesPerPiece) {
    text += encodePiece(bytes.subarray(start, start + bytesPerPiece))
  }
  const padding = (3 - (bytes.length % 3)) % 3
  return text.slice(0, text.length - padding) + '='.repeat(padding)
}

function encodePiece(bytes: Uint8Array): string {
  const units: number[] = []
  for (let index = 0; index < bytes.length; index += 3) {
    const group = (bytes[index]! << 16) | ((bytes[index + 1] ?? 0) << 8) | (bytes[index + 2] ?? 0)
    for (let shift = 18; shift >= 0; shift -= 6) units.push(digits[(group >> shift) & 63]!)
  }
  return String.fromCharCode(...units)
}
