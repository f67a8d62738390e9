import { type CopyRows, type CopyWriter, createCopyWriter } from '../../db/copyBinary.ts'
import type { BalanceChange, TokenChange } from './reduceTransfers.ts'
import type { Transfer } from './transfer.ts'

// Rows of transfer tables for COPY.

type Key = { partition: number; id: bigint }

/** Usual row sizes in bytes, to allocate memory once. */
const rowBytes = { transfer: 240, token: 200, balance: 96 }

/** The columns of `transferRows`. */
export const transferColumns =
  'partition, collection_id, position, item, token_id, from_address, to_address, amount, transaction_hash, transaction_index, operator, block_hash, block_time'

export function transferRows(key: Key, transfers: readonly Transfer[]): CopyRows {
  return rowsOf(transfers, rowBytes.transfer, (writer, t) => {
    begin(writer, 13, key)
    writer.int8(t.position)
    writer.int4(t.item)
    writer.numeric(t.tokenId)
    writer.hex(t.from)
    writer.hex(t.to)
    writer.numeric(t.amount)
    writer.hex(t.transactionHash)
    writer.int4(t.transactionIndex)
    writer.hex(t.operator)
    writer.hex(t.blockHash)
    writer.int8(t.blockTime)
  })
}

/** Columns that `token` and its staging table share: all of the staging table except `summed`. */
export const sharedTokenColumns =
  'partition, collection_id, token_hash, token_id, owner, minter, last_position, first_position, minted_position, amount, transfers'

/** Rows of `stage_token`. */
export function stagedRows(key: Key, tokens: readonly TokenChange[]): CopyRows {
  return rowsOf(tokens, rowBytes.token, (writer, token) => {
    writeToken(writer, key, token)
    writer.bool(token.summed)
  })
}

/** Rows of `token` for ERC-721 tokens: the shared columns, and `holders`. */
export function tokenRows(key: Key, tokens: readonly TokenChange[]): CopyRows {
  return rowsOf(tokens, rowBytes.token, (writer, token) => {
    writeToken(writer, key, token)
    writer.int4(Number(token.amount))
  })
}

/** Converts a row of `tokenRows` into one of the staging table: a boolean replaces the last number. */
export function stagedRowOf(row: Uint8Array): Buffer {
  return Buffer.concat([row.subarray(0, row.length - 8), notSummed])
}

const notSummed = Buffer.from('0000000100', 'hex')

function writeToken(writer: CopyWriter, key: Key, t: TokenChange): void {
  begin(writer, 12, key)
  writer.hex(t.hash)
  writer.numeric(t.tokenId)
  writer.hex(t.owner)
  writer.hex(t.minter)
  writer.int8(t.lastPosition)
  writer.int8(t.firstPosition)
  writer.int8(t.mintedPosition)
  writer.numeric(`${t.amount}`)
  writer.int4(t.transfers)
}

/** Rows of `stage_balance`. */
export function balanceRows(key: Key, balances: readonly BalanceChange[]): CopyRows {
  return rowsOf(balances, rowBytes.balance, (writer, { hash, holder, amount }) => {
    begin(writer, 5, key)
    writer.hex(hash)
    writer.hex(holder)
    writer.numeric(`${amount}`)
  })
}

/** A row per item. */
function rowsOf<T>(items: readonly T[], bytes: number, write: (writer: CopyWriter, item: T) => void): CopyRows {
  const writer = createCopyWriter(bytes * items.length)
  for (const item of items) write(writer, item)
  return writer.finish()
}

function begin(writer: CopyWriter, fields: number, { partition, id }: Key): void {
  writer.row(fields)
  writer.int2(partition)
  writer.int8(id)
}
