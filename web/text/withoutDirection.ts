/** A text without the controls that change the direction of what follows, for titles, which have no `<bdi>`. */
export function withoutDirection(text: string): string {
  return text.replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
}
