import type { Sql } from '../../../db/database.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../../util/hex.ts'
import type { OriginBlock, TokenOrigin } from '../../originQuery.ts'
import type { HeldTokens } from '../../query.ts'
import { blockOfPosition } from '../../transfers/position.ts'
import type { WholeWallet } from '../../walletQuery.ts'

const ofToken = (row: string) =>
  `${row}.partition = $1 AND ${row}.wallet_id = $2 AND ${row}.contract = k.contract AND ${row}.token_hash = k.hash`

/** $3: the address of the wallet; $4: the contracts of the tokens; $5: their hashes. */
const selectOrigins = `
SELECT encode(uuid_send(k.hash), 'hex'), h.minter, m.position, m.block_time, m.transaction_hash, g.position, g.block_time
FROM unnest($4::bytea[], $5::uuid[]) AS k (contract, hash)
CROSS JOIN LATERAL (SELECT * FROM wallet_holding h WHERE ${ofToken('h')} LIMIT 1) h
LEFT JOIN LATERAL (
  SELECT * FROM wallet_move m WHERE ${ofToken('m')} AND m.position = h.minted_position ORDER BY m.item LIMIT 1
) m ON true
LEFT JOIN LATERAL (
  SELECT * FROM wallet_move m WHERE ${ofToken('m')} AND m.to_address = $3::bytea AND m.from_address <> $3::bytea AND m.amount > 0
  ORDER BY m.position DESC, m.item DESC LIMIT 1
) g ON true`

type OriginRow = [
  ...[hash: string, minter: Buffer | null],
  ...[mintPosition: bigint | null, mintTime: bigint | null, mintTransaction: Buffer | null],
  ...[gotPosition: bigint | null, gotTime: bigint | null],
]

/** Where tokens come from that a wallet over all contracts holds, as its own transfers show it, in their order. */
export async function readWholeOrigins(
  sql: Sql,
  { partition, id }: Pick<WholeWallet, 'partition' | 'id'>,
  wallet: Address,
  held: readonly HeldTokens[],
): Promise<TokenOrigin[]> {
  const tokens = held.flatMap(({ address, hashes }) => hashes.map((hash) => ({ contract: hexToBuffer(address), hash })))
  if (tokens.length === 0) return []
  const lists = [tokens.map(({ contract }) => contract), tokens.map(({ hash }) => hash)]
  const rows = await sql.rows<OriginRow>(selectOrigins, [partition, id, hexToBuffer(wallet), ...lists])
  const found = new Map(rows.map((row) => [row[0], originOf(row)]))
  return tokens.map(({ hash }) => found.get(hash) ?? { mint: null, acquired: null })
}

function originOf([, minter, mintPosition, mintTime, transaction, gotPosition, gotTime]: OriginRow): TokenOrigin {
  const mint = blockOf(mintPosition, mintTime)
  return {
    mint:
      mint && minter && transaction
        ? { ...mint, minter: bufferToHex(minter), transactionHash: bufferToHex(transaction) }
        : null,
    acquired: blockOf(gotPosition, gotTime),
  }
}

/** A time in ISO 8601, of seconds since 1970. */
export const isoOf = (seconds: bigint | null) =>
  seconds === null ? null : new Date(Number(seconds) * 1_000).toISOString()

function blockOf(position: bigint | null, time: bigint | null): OriginBlock | null {
  if (position === null) return null
  return { block: blockOfPosition(position), time: isoOf(time) }
}
