import type { Database, Sql } from '../../db/database.ts'
import { readUndone } from '../../sync/undoneBlocks.ts'
import { hexToBuffer } from '../../util/hex.ts'
import type { ChangeQuery } from '../changeQuery.ts'
import { readWalletHead } from '../wallets/readWalletHead.ts'
import { walletUpdatesChannel } from '../wallets/walletUpdates.ts'

/** `primary`: the source of NOTIFY, if `db` is a replica. */
export function createChangeQuery({ db, primary = db }: { db: Database; primary?: Database | undefined }): ChangeQuery {
  const sql: Sql = db
  return {
    listen: (onChange) => primary.listen(walletUpdatesChannel, onChange),
    walletHead: (chainId) => readWalletHead(sql, chainId),
    undone: (chainId, block) => readUndone(sql, chainId, block),
    async areCurrent(chainId, blocks) {
      const numbers = blocks.map(({ number }) => number)
      const hashes = blocks.map(({ hash }) => hexToBuffer(hash))
      const others = await sql.rows(selectOther, [chainId, numbers, hashes])
      return others.length === 0
    },
  }
}

const selectOther = `
SELECT 1 FROM unnest($2::int8[], $3::bytea[]) AS a (number, hash)
JOIN block b ON b.chain_id = $1 AND b.number = a.number AND b.hash <> a.hash
JOIN chain h ON h.id = b.chain_id AND b.number > h.finalized_number LIMIT 1`
