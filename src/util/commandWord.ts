/** A text as one word of a command line that a message prints for copying: in quotes where a shell would take it apart. */
export function commandWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
