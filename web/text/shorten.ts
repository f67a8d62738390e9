/** The two ends of a long text, as of an address: 0x1234…cdef. A text that is hardly longer stays whole. */
export function shorten(text: string, { head = 6, tail = 4 }: { head?: number; tail?: number } = {}): string {
  return text.length <= head + tail + 3 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`
}

/** The name that a contract gave itself, or its address, shortened, where it gave none that can be seen. */
export function nameOrAddress(name: string | null | undefined, address: string): string {
  return name && /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : shorten(address)
}
