/// <reference lib="es2024.string" />

/** Whether every surrogate has its other half, so that the text survives UTF-8. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed()
}

/** The text with each lone surrogate replaced by U+FFFD. */
export function toWellFormed(text: string): string {
  return text.toWellFormed()
}
