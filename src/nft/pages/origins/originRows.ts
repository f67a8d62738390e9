import { column, type ValuesOf } from '../../../db/defineRow.ts'
import { createLru } from '../../../util/createLru.ts'
import { bufferToHex, type Hex } from '../../../util/hex.ts'
import { nameOfBlock, type TimesOfBlocks, type UntimedBlock } from '../../blocks/createBlockTimes.ts'
import type { OriginBlock, TokenOrigin } from '../../originQuery.ts'
import { blockOfPosition } from '../../transfers/position.ts'

const hash = (sql: string) => column.bytea(sql).map(bufferToHex).orNull()

/** Where a token comes from. `m`: the transfer that minted it to `minter`; `g`: the last one that its holder got. */
export const originColumns = (minter: string) => ({
  minter: hash(minter),
  mintPosition: column.int8('m.position').orNull(),
  mintTransaction: hash('m.transaction_hash'),
  mintBlockHash: hash('m.block_hash'),
  mintTime: column.int8('m.block_time').orNull(),
  gotPosition: column.int8('g.position').orNull(),
  gotBlockHash: hash('g.block_hash'),
  gotTime: column.int8('g.block_time').orNull(),
})

type OriginRow = ValuesOf<ReturnType<typeof originColumns>>

/** A log in a stored block; `time` null: not known. */
type PlacedLog = { position: bigint | null; blockHash: Hex | null; time: bigint | null }

/** The blocks of rows whose times are not known. `ownerOf`: whose transfers a row is of. */
export function untimedRows<Row extends OriginRow>(
  rows: readonly Row[],
  ownerOf: (row: Row) => Pick<UntimedBlock, 'partition' | 'collectionId'>,
): Map<string, UntimedBlock> {
  return untimedBlocks(
    rows.flatMap((row) => [
      { ...ownerOf(row), position: row.mintPosition, blockHash: row.mintBlockHash, time: row.mintTime },
      { ...ownerOf(row), position: row.gotPosition, blockHash: row.gotBlockHash, time: row.gotTime },
    ]),
  )
}

/** The blocks of logs whose times are not known. */
export function untimedBlocks(
  logs: Iterable<PlacedLog & Pick<UntimedBlock, 'partition' | 'collectionId'>>,
): Map<string, UntimedBlock> {
  const untimed = new Map<string, UntimedBlock>()
  for (const { partition, collectionId, position, blockHash: hash, time } of logs) {
    if (position === null || hash === null || time !== null) continue
    const number = blockOfPosition(position)
    untimed.set(`${collectionId} ${nameOfBlock(number, hash)}`, { partition, collectionId, number, hash })
  }
  return untimed
}

/** `times`: of the blocks whose time the row lacks. */
export function originOf(row: OriginRow, times: TimesOfBlocks): TokenOrigin {
  const { minter, mintTransaction: transactionHash } = row
  const mint = blockOf({ position: row.mintPosition, blockHash: row.mintBlockHash, time: row.mintTime }, times)
  return {
    mint: mint && minter && transactionHash ? { ...mint, minter, transactionHash } : null,
    acquired: blockOf({ position: row.gotPosition, blockHash: row.gotBlockHash, time: row.gotTime }, times),
  }
}

/** The block of a log; null: there is no such log. */
export function blockOf({ position, blockHash, time }: PlacedLog, times: TimesOfBlocks): OriginBlock | null {
  if (position === null || blockHash === null) return null
  const block = blockOfPosition(position)
  return { block, time: isoOf(time ?? times.get(nameOfBlock(block, blockHash)) ?? null) }
}

/** Blocks have few times, and many tokens one of them. */
const isoTexts = createLru<bigint, string>(10_000)

/** A time in ISO 8601, of seconds since 1970. */
export function isoOf(seconds: bigint | null): string | null {
  if (seconds === null) return null
  let text = isoTexts.get(seconds)
  if (text === undefined) {
    text = dateOf(seconds).toISOString()
    isoTexts.set(seconds, text)
  }
  return text
}

export const dateOf = (seconds: bigint) => new Date(Number(seconds) * 1_000)
