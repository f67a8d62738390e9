/**
 * A text for a terminal: on one line, without control characters, also those of eight bits and those that reverse the
 * order of letters. Ends of lines and tabs become spaces.
 */
export function printable(text: string): string {
  return text.replace(/[\r\n\t\v\f\u2028\u2029]+/g, ' ').replace(/\p{C}/gu, '')
}

/** JSON text in which such characters are escaped; JSON itself leaves everything from DEL on as it is. */
export function escapeControls(json: string): string {
  // Outside of strings the only one is the end of a line, which inside is an escape already.
  return json.replace(/[\u2028\u2029]|(?!\n)\p{C}/gu, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}
