/** A row of a snapshot, of a known owner. */
export type HeldRow = { tokenId: string; amount: string }

/** Most listed tokens of an owner. */
export const mostListed = 1_000

/** Those rows of one owner that a proof needs: the first ones, and that of the requested token. */
export function createOwnRows({ owner, tokenId }: { owner: string; tokenId: bigint | null }) {
  const wanted = String(tokenId)
  const rows: HeldRow[] = []
  return {
    rows,
    add(tokenId: string, holder: string, amount: string): void {
      if (holder === owner && (rows.length < mostListed || tokenId === wanted)) rows.push({ tokenId, amount })
    },
  }
}

/** All rows of an owner in CSV lines of a snapshot. A search through 20 MB takes a few milliseconds. */
export function* rowsIn(lines: readonly Buffer[], owner: string): Generator<HeldRow> {
  const field = Buffer.from(`,${owner},`)
  for (const part of lines)
    for (let at = part.indexOf(field); at >= 0; at = part.indexOf(field, at + field.length)) {
      const start = part.lastIndexOf('\n', at) + 1
      const end = part.indexOf('\n', at)
      yield {
        tokenId: part.toString('latin1', start, at),
        amount: part.toString('latin1', at + field.length, end < 0 ? part.length : end),
      }
    }
}
