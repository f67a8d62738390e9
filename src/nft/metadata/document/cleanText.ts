/**
 * Untrusted text as it can be stored and shown anywhere: without NUL, which Postgres refuses, with U+FFFD for lone
 * surrogates, and at most `maxLength` UTF-16 units, never half a pair. Cleaning twice changes nothing.
 */
export function cleanText(text: string, maxLength: number): string {
  const whole = text.includes('\0') ? text.replaceAll('\0', '') : text
  return cut(whole.toWellFormed(), maxLength)
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const last = text.charCodeAt(maxLength - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxLength - 1 : maxLength)
}
