/**
 * Makes untrusted text safe to store and show: removes NUL, which PostgreSQL rejects, replaces lone surrogates by U+FFFD, and truncates to
 * `maxLength` UTF-16 units without splitting a pair. Idempotent.
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
