import type { Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { hexToBuffer } from '../../../util/hex.ts'
import type { TimesOfBlocks, UntimedBlock } from '../../blocks/createBlockTimes.ts'
import type { TokenOrigin } from '../../originQuery.ts'
import type { HeldTokens } from '../../query.ts'
import type { WholeWallet } from '../../walletQuery.ts'
import { mintColumns, mintIn, untimedMints } from './originRows.ts'

const ofToken = (row: string) =>
  `${row}.partition = $1 AND ${row}.wallet_id = $2 AND ${row}.contract = k.contract AND ${row}.token_hash = k.hash`

const mintRow = defineRow({ hash: column.text("encode(uuid_send(k.hash), 'hex')"), ...mintColumns('h.minter') })

/** $3: the contracts of the tokens; $4: their hashes. */
const selectMints = `
SELECT ${mintRow.columns}
FROM unnest($3::bytea[], $4::uuid[]) AS k (contract, hash)
CROSS JOIN LATERAL (SELECT * FROM wallet_holding h WHERE ${ofToken('h')} LIMIT 1) h
LEFT JOIN LATERAL (
  SELECT * FROM wallet_move m WHERE ${ofToken('m')} AND m.position = h.minted_position ORDER BY m.item LIMIT 1
) m ON true`

/** Mints of a wallet's tokens over all contracts, by its own transfers, in order. */
export async function readWholeMints(
  sql: Sql,
  { partition, id }: Pick<WholeWallet, 'partition' | 'id'>,
  held: readonly HeldTokens[],
  timesOf: (untimed: ReadonlyMap<string, UntimedBlock>) => Promise<TimesOfBlocks>,
): Promise<TokenOrigin['mint'][]> {
  const tokens = held.flatMap(({ address, hashes }) => hashes.map((hash) => ({ contract: hexToBuffer(address), hash })))
  if (tokens.length === 0) return []
  const lists = [tokens.map(({ contract }) => contract), tokens.map(({ hash }) => hash)]
  const rows = (await sql.rows(selectMints, [partition, id, ...lists])).map(mintRow.decode)
  const times = await timesOf(untimedMints(rows, { partition, collectionId: id }))
  const found = new Map(rows.map((row) => [row.hash, mintIn(row, times)]))
  return tokens.map(({ hash }) => found.get(hash) ?? null)
}
