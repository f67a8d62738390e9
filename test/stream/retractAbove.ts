import type { Transaction } from '../../src/db/database.ts'
import { retractWebhooks } from '../../src/stream/ledger/retractWebhooks.ts'
import type { Hex } from '../../src/util/hex.ts'

/** Retracts every block above `fork` that has webhooks, as after a reorganisation. */
export async function retractAbove(tx: Transaction, chainId: bigint, fork: bigint): Promise<void> {
  const blocks = await tx.rows<[bigint, Hex]>(
    `SELECT DISTINCT block_number, '0x' || encode(block_hash, 'hex') FROM webhook WHERE chain_id = $1 AND block_number > $2`,
    [chainId, fork],
  )
  await retractWebhooks(tx, chainId, blocks)
}
