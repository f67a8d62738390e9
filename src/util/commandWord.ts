/** A text as one word of a command line that a message prints for copying: in quotes where a shell would split or change it. */
export function commandWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
