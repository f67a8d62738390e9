import { column, type ValuesOf } from '../../../db/defineRow.ts'
import { createLru } from '../../../util/createLru.ts'
import { bufferToHex, type Hex } from '../../../util/hex.ts'
import { dateOf, nameOfBlock, type TimesOfBlocks, type UntimedBlock } from '../../blocks/createBlockTimes.ts'
import type { TokenOrigin } from '../../originQuery.ts'
import type { OriginBlock } from '../../query.ts'
import { blockOfPosition } from '../../transfers/position.ts'

const hash = (sql: string) => column.bytea(sql).map(bufferToHex).orNull()

/** Columns of the transfer `m` that minted a token to `minter`. */
export const mintColumns = (minter: string) => ({
  minter: hash(minter),
  mintPosition: column.int8('m.position').orNull(),
  mintTransaction: hash('m.transaction_hash'),
  mintBlockHash: hash('m.block_hash'),
  mintTime: column.int8('m.block_time').orNull(),
})

/** The origin of a token. `g`: its holder's last acquisition from somebody else; `s`: without one, the first transfer to itself. */
export const originColumns = (minter: string) => ({
  ...mintColumns(minter),
  gotPosition: column.int8('coalesce(g.position, s.position)').orNull(),
  gotBlockHash: hash('coalesce(g.block_hash, s.block_hash)'),
  gotTime: column.int8('CASE WHEN g.position IS NULL THEN s.block_time ELSE g.block_time END').orNull(),
})

type MintRow = ValuesOf<ReturnType<typeof mintColumns>>
type OriginRow = ValuesOf<ReturnType<typeof originColumns>>

const mintLog = (row: MintRow): MinedLog => ({
  position: row.mintPosition,
  blockHash: row.mintBlockHash,
  time: row.mintTime,
})

/** Blocks of mints without a known time. */
export const untimedMints = (rows: readonly MintRow[], owner: Pick<UntimedBlock, 'partition' | 'collectionId'>) =>
  untimedBlocks(rows.map((row) => ({ ...owner, ...mintLog(row) })))

/** A log in a stored block; `time` null: unknown. */
type MinedLog = { position: bigint | null; blockHash: Hex | null; time: bigint | null }

/** Blocks of rows without a known time. `ownerOf`: the owner of a row's transfers. */
export function untimedRows<Row extends OriginRow>(
  rows: readonly Row[],
  ownerOf: (row: Row) => Pick<UntimedBlock, 'partition' | 'collectionId'>,
): Map<string, UntimedBlock> {
  return untimedBlocks(
    rows.flatMap((row) => [
      { ...ownerOf(row), ...mintLog(row) },
      { ...ownerOf(row), position: row.gotPosition, blockHash: row.gotBlockHash, time: row.gotTime },
    ]),
  )
}

/** Blocks of logs without a known time. */
export function untimedBlocks(
  logs: Iterable<MinedLog & Pick<UntimedBlock, 'partition' | 'collectionId'>>,
): Map<string, UntimedBlock> {
  const untimed = new Map<string, UntimedBlock>()
  for (const { partition, collectionId, position, blockHash: hash, time } of logs) {
    if (position === null || hash === null || time !== null) continue
    const number = blockOfPosition(position)
    untimed.set(`${collectionId} ${nameOfBlock(number, hash)}`, { partition, collectionId, number, hash })
  }
  return untimed
}

/** `times`: of the blocks whose time is not in the row. */
export function originOf(row: OriginRow, times: TimesOfBlocks): TokenOrigin {
  return {
    mint: mintIn(row, times),
    acquired: blockOf({ position: row.gotPosition, blockHash: row.gotBlockHash, time: row.gotTime }, times),
  }
}

export function mintIn(row: MintRow, times: TimesOfBlocks): TokenOrigin['mint'] {
  const { minter, mintTransaction: transactionHash } = row
  const block = blockOf(mintLog(row), times)
  return block && minter && transactionHash ? { ...block, minter, transactionHash } : null
}

/** The block of a log; null: there is no such log. */
export function blockOf({ position, blockHash, time }: MinedLog, times: TimesOfBlocks): OriginBlock | null {
  if (position === null || blockHash === null) return null
  const block = blockOfPosition(position)
  return { block, time: isoOf(time ?? times.get(nameOfBlock(block, blockHash)) ?? null) }
}

/** Many tokens share few block times. */
const isoTexts = createLru<bigint, string>(10_000)

/** Seconds since 1970 as ISO 8601. */
export function isoOf(seconds: bigint | null): string | null {
  if (seconds === null) return null
  let text = isoTexts.get(seconds)
  if (text === undefined) {
    text = dateOf(seconds).toISOString()
    isoTexts.set(seconds, text)
  }
  return text
}
