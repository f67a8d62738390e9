import type { Sql } from '../../../db/database.ts'
import { column, defineRow, type RowOf } from '../../../db/defineRow.ts'
import { type Address, bufferToHex, type Hex, hexToBuffer } from '../../../util/hex.ts'
import { nameOfBlock, type TimesOfBlocks, type UntimedBlock } from '../../blocks/createBlockTimes.ts'
import type { OriginBlock, TokenOrigin } from '../../originQuery.ts'
import type { HeldTokens } from '../../query.ts'
import { blockOfPosition } from '../../transfers/position.ts'
import type { WholeWallet } from '../../walletQuery.ts'

const ofToken = (row: string) =>
  `${row}.partition = $1 AND ${row}.wallet_id = $2 AND ${row}.contract = k.contract AND ${row}.token_hash = k.hash`

const hash = (sql: string) => column.bytea(sql).map(bufferToHex).orNull()

const originRow = defineRow({
  hash: column.text("encode(uuid_send(k.hash), 'hex')"),
  minter: hash('h.minter'),
  mintPosition: column.int8('m.position').orNull(),
  mintBlockHash: hash('m.block_hash'),
  mintTime: column.int8('m.block_time').orNull(),
  mintTransaction: hash('m.transaction_hash'),
  gotPosition: column.int8('g.position').orNull(),
  gotBlockHash: hash('g.block_hash'),
  gotTime: column.int8('g.block_time').orNull(),
})

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
  const untimed = new Map<string, UntimedBlock>()
  for (const row of rows)
    for (const [position, hash, time] of [
      [row.mintPosition, row.mintBlockHash, row.mintTime] as const,
      [row.gotPosition, row.gotBlockHash, row.gotTime] as const,
    ]) {
      if (position === null || hash === null || time !== null) continue
      const number = blockOfPosition(position)
      untimed.set(nameOfBlock(number, hash), { partition, collectionId: id, number, hash })
    }
  const times = await timesOf(untimed)
  const found = new Map(rows.map((row) => [row.hash, originOf(row, times)]))
  return tokens.map(({ hash }) => found.get(hash) ?? { mint: null, acquired: null })
}

function originOf(row: RowOf<typeof originRow>, times: TimesOfBlocks): TokenOrigin {
  const { minter, mintTransaction: transactionHash } = row
  const mint = blockOf(row.mintPosition, row.mintBlockHash, row.mintTime, times)
  return {
    mint: mint && minter && transactionHash ? { ...mint, minter, transactionHash } : null,
    acquired: blockOf(row.gotPosition, row.gotBlockHash, row.gotTime, times),
  }
}

/** A time in ISO 8601, of seconds since 1970. */
export const isoOf = (seconds: bigint | null) =>
  seconds === null ? null : new Date(Number(seconds) * 1_000).toISOString()

function blockOf(
  position: bigint | null,
  hash: Hex | null,
  time: bigint | null,
  times: TimesOfBlocks,
): OriginBlock | null {
  if (position === null || hash === null) return null
  const block = blockOfPosition(position)
  return { block, time: isoOf(time ?? times.get(nameOfBlock(block, hash)) ?? null) }
}
