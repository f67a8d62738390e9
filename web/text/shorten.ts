/** Start and end of a long text, such as an address: 0x1234…cdef. Slightly longer text stays whole. */
export function shorten(text: string, { head = 6, tail = 4 }: { head?: number; tail?: number } = {}): string {
  return text.length <= head + tail + 3 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

/** Some letters and symbols are invisible: fillers, and the blank of Braille. */
const visible = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u

/** A name of untrusted text; undefined if it has no visible character, so that a link or heading of it would be empty. */
export function visibleName(name: string | null | undefined): string | undefined {
  return name && visible.test(name) ? name : undefined
}

/** The contract's name, or its shortened address if the name has no visible character. */
export function nameOrAddress(name: string | null | undefined, address: string): string {
  return visibleName(name) ?? shorten(address)
}
