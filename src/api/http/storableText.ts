/** Longest single text in a body, in UTF-16 units: far above any name, filter value or part of an ABI. */
export const longestText = 65_536

/**
 * Why a text cannot be stored, as the end of a sentence; undefined: it can. PostgreSQL rejects U+0000 and lone
 * surrogates, also in stored JSON.
 */
export function faultOfText(text: string): string | undefined {
  if (text.includes('\0')) return 'contains U+0000, which cannot be stored; allowed: text without it'
  if (!text.isWellFormed())
    return 'contains half of a surrogate pair, which is not text; allowed: whole Unicode characters'
  if (text.length > longestText) return `has ${text.length} characters; allowed: at most ${longestText}`
  return undefined
}

export type TextFault = { path: PropertyKey[]; message: string }

/** Texts of a JSON value that cannot be stored, including field names, each with its path; at most `max`. */
export function textFaults(value: unknown, max: number): TextFault[] {
  const faults: TextFault[] = []
  search(value, [])
  return faults

  function search(part: unknown, path: readonly PropertyKey[]): void {
    if (faults.length >= max) return
    if (typeof part === 'string') {
      const message = faultOfText(part)
      if (message !== undefined) faults.push({ path: [...path], message })
    } else if (Array.isArray(part)) {
      for (const [i, item] of part.entries()) search(item, [...path, i])
    } else if (typeof part === 'object' && part !== null) {
      for (const [name, item] of Object.entries(part)) {
        const message = faultOfText(name)
        if (message === undefined) search(item, [...path, name])
        else faults.push({ path: [...path], message: `has a field whose name ${message}` })
      }
    }
  }
}
