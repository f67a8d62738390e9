import { addressKeys, type ListWriter, parseEntry, toChainId, toScore } from './collectAddresses.ts'

/**
 * Passes every entry of a CSV or of a plain text to `writer`. A header specifies the columns. Without one, any column may contain the address,
 * preceded by its chain if that column is a number, and followed by its score.
 */
export function readAddressRows(rows: string[][], chainId: bigint | null, writer: ListWriter): void {
  const [first = []] = rows
  const header = first.map((cell) => cell.toLowerCase().replaceAll(/[_\s]/g, ''))
  const column = header.findIndex((cell) => addressKeys.includes(cell))
  const chainColumn = header.findIndex((cell) => cell === 'chainid' || cell === 'chain')
  const scoreColumn = header.indexOf('score')
  for (const row of column < 0 ? rows : rows.slice(1)) {
    const at = column < 0 ? row.findIndex((cell) => parseEntry(cell)) : column
    const entry = parseEntry(row[at] ?? '')
    if (!entry) {
      writer.reject()
      continue
    }
    const chain = row[column < 0 ? at - 1 : chainColumn]
    const score = row[column < 0 ? at + 1 : scoreColumn]
    writer.add({
      address: entry.address,
      chainId: entry.chainId ?? toChainId(chain) ?? chainId,
      score: entry.score ?? toScore(score),
    })
  }
}
