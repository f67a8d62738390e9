import type { Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import type { TimesOfBlocks, UntimedBlock } from '../../blocks/createBlockTimes.ts'
import type { TokenOrigin } from '../../originQuery.ts'
import type { HeldTokens } from '../../query.ts'
import type { WholeWallet } from '../../walletQuery.ts'
import { originColumns, originOf, untimedRows } from './originRows.ts'

const ofToken = (row: string) =>
  `${row}.partition = $1 AND ${row}.wallet_id = $2 AND ${row}.contract = k.contract AND ${row}.token_hash = k.hash`

const originRow = defineRow({ hash: column.text("encode(uuid_send(k.hash), 'hex')"), ...originColumns('h.minter') })

/** $3: the address of the wallet; $4: the contracts of the tokens; $5: their hashes. */
const selectOrigins = `
SELECT ${originRow.columns}
FROM unnest($4::bytea[], $5::uuid[]) AS k (contract, hash)
CROSS JOIN LATERAL (SELECT * FROM wallet_holding h WHERE ${ofToken('h')} LIMIT 1) h
LEFT JOIN LATERAL (
  SELECT * FROM wallet_move m WHERE ${ofToken('m')} AND m.position = h.minted_position ORDER BY m.item LIMIT 1
) m ON true
LEFT JOIN LATERAL (
  SELECT * FROM wallet_move m WHERE ${ofToken('m')} AND m.to_address = $3::bytea AND m.from_address <> $3::bytea AND m.amount > 0
  ORDER BY m.position DESC, m.item DESC LIMIT 1
) g ON true`

/** Where tokens come from that a wallet over all contracts holds, as its own transfers show it, in their order. */
export async function readWholeOrigins(
  sql: Sql,
  { partition, id }: Pick<WholeWallet, 'partition' | 'id'>,
  wallet: Address,
  held: readonly HeldTokens[],
  timesOf: (untimed: ReadonlyMap<string, UntimedBlock>) => Promise<TimesOfBlocks>,
): Promise<TokenOrigin[]> {
  const tokens = held.flatMap(({ address, hashes }) => hashes.map((hash) => ({ contract: hexToBuffer(address), hash })))
  if (tokens.length === 0) return []
  const lists = [tokens.map(({ contract }) => contract), tokens.map(({ hash }) => hash)]
  const rows = (await sql.rows(selectOrigins, [partition, id, hexToBuffer(wallet), ...lists])).map(originRow.decode)
  const times = await timesOf(untimedRows(rows, () => ({ partition, collectionId: id })))
  const found = new Map(rows.map((row) => [row.hash, originOf(row, times)]))
  return tokens.map(({ hash }) => found.get(hash) ?? { mint: null, acquired: null })
}
