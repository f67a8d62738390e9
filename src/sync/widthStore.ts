import type { WidthMemory } from '../chain/evm/source/logWidths.ts'
import type { Database } from '../db/database.ts'
import { bufferToHex, hexToBuffer } from '../util/hex.ts'

/** Most stored widths, the latest ones, 100 bytes each. */
const maxRows = 10_000

/** Stores how many blocks of a contract's logs each node returned at once, by the hash of the node's name. */
export function createWidthStore(db: Database, chainId: bigint): WidthMemory {
  return {
    async read(contract) {
      const rows = await db.rows<[Buffer, number]>(
        'SELECT endpoint, blocks FROM log_width WHERE chain_id = $1 AND contract = $2',
        [chainId, hexToBuffer(contract)],
      )
      return new Map(rows.map(([endpoint, blocks]) => [bufferToHex(endpoint).slice(2), blocks]))
    },
    async write(contract, endpoint, blocks) {
      await db.run(
        `INSERT INTO log_width (chain_id, contract, endpoint, blocks) VALUES ($1, $2, $3, $4)
         ON CONFLICT (chain_id, contract, endpoint) DO UPDATE SET blocks = excluded.blocks, worked_at = now()`,
        [chainId, hexToBuffer(contract), hexToBuffer(endpoint), blocks],
      )
      await db.run(
        `DELETE FROM log_width WHERE (chain_id, contract, endpoint) IN (
           SELECT chain_id, contract, endpoint FROM log_width ORDER BY worked_at DESC OFFSET $1)`,
        [maxRows],
      )
    },
  }
}
