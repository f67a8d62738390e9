/** A text of others within a sentence that is text alone: a sign in it that turns the direction of writing ends with it, as in `<bdi>`. */
export function isolated(text: string): string {
  return `\u2068${text}\u2069`
}
