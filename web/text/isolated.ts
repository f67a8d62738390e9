/** Isolates untrusted text in a plain-text sentence, as `<bdi>` does: its direction controls end with it. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}
