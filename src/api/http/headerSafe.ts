/** Nothing but printable ASCII may stand in a header. */
export function headerSafe(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]+/g, '?').slice(0, 300)
}
