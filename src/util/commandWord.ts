/** A text as one word of a printed command line: quoted if a shell would split or change it. */
export function commandWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
