/** Names of prepared statements by their text. The texts are constants of the program, so the map stays small. */
const statementNames = new Map<string, string>()

/** The name under which a connection prepares a statement. */
export function statementName(text: string): string {
  let name = statementNames.get(text)
  if (name === undefined) {
    name = `m${statementNames.size}`
    statementNames.set(text, name)
  }
  return name
}
