import type { FileFormat } from '../fileQuery.ts'
import { createLeafHash, createLeaves } from '../merkle/leaves.ts'
import { merkleRoot } from '../merkle/merkleTree.ts'
import { createParquetSheet, idBytesColumn } from './parquetSheet.ts'
import type { FileText } from './recordText.ts'

/** Columns of a snapshot, in the order of its objects' fields. */
export const holderColumns = ['token_id', 'owner_of', 'amount'] as const

const parquetColumns = [...holderColumns.map((name) => [name, 'text'] as const), [idBytesColumn, 'id'] as const]

/**
 * Format of a snapshot, with the Merkle root of its holders. A batch is CSV lines: token id and amount in decimal,
 * owner as 0x and 40 lower-case hex digits. None needs quotes or could be a formula.
 */
export function createHolderText(format: FileFormat): FileText {
  const leafHash = createLeafHash()
  const leaves = createLeaves()
  const sheet = format === 'parquet' ? createParquetSheet(parquetColumns) : undefined

  return {
    head: sheet?.head ?? (format === 'csv' ? `${holderColumns.join(',')}\n` : ''),
    write(batch) {
      let text = ''
      for (let at = 0; at < batch.length; ) {
        const end = batch.indexOf('\n', at)
        const first = batch.indexOf(',', at)
        const second = batch.indexOf(',', first + 1)
        const tokenId = batch.slice(at, first)
        const owner = batch.slice(first + 1, second)
        const amount = batch.slice(second + 1, end)
        leaves.add(leafHash(owner, tokenId, amount))
        sheet?.add([tokenId, owner, amount, tokenId])
        if (format === 'ndjson') text += `{"token_id":"${tokenId}","owner_of":"${owner}","amount":"${amount}"}\n`
        at = end + 1
      }
      return sheet?.take() ?? (format === 'csv' ? batch : text)
    },
    finish() {
      const rows = leaves.count
      const root = merkleRoot(leaves.take()) ?? null
      return { rows, root, ...(sheet && { tail: sheet.finish() }) }
    },
  }
}
