/** Texts of statements, each written once. A name stands for the choices that decide its text. */
export function createStatementTexts(): (name: string, write: () => string) => string {
  const known = new Map<string, string>()
  return (name, write) => {
    let text = known.get(name)
    if (text === undefined) {
      text = write()
      known.set(name, text)
    }
    return text
  }
}
