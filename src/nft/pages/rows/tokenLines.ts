import type { Address } from '../../../util/hex.ts'
import { addressBytes, tokenFacts } from '../../transfers/tokenFacts.ts'
import {
  blockAt,
  constant,
  numericBytes,
  numericEnd,
  write,
  writeHex,
  writeNumber,
  writeNumeric,
  writeQuotedHex,
} from './writeText.ts'

/** Texts in one buffer. */
export type Texts = { bytes: Buffer; starts: number[]; ends: number[] }

/**
 * SQL of a token as bytes: one byte for ERC-1155, its hash, its owner (`addressBytes`), and the rest of its record (`tokenFacts`). Writing lines from
 * these bytes takes both processes together two thirds of the time that PostgreSQL alone needed.
 */
export const bytesOfToken = (erc1155: string, hash: string, owner: string, facts: string) =>
  `boolsend(${erc1155}) || uuid_send(${hash}) || ${addressBytes(owner)} || ${facts}`

/** SQL of the columns of a token `t` from which its bytes are made: each further column makes planning slower. */
export const tokenColumns =
  't.token_hash, t.token_id, t.owner, t.minter, t.last_position, t.first_position, t.minted_position, t.amount, t.erc1155'

/** SQL of a token `t` as bytes. */
export const tokenBytes = bytesOfToken('t.erc1155', 't.token_hash', 't.owner', tokenFacts)

/** Positions of a token's parts in its bytes; the later ones are relative to the end of its owner. */
const hashAt = 1
const ownerAt = hashAt + 16
const firstAt = 8
const minterAt = 16
const toId = constant('"token_id":"')
const toHash = constant('","token_hash":"')
const toOwner = constant('","owner_of":')
const toMinter = constant(',"minter_address":')
const toBlock = constant(',"block_number":"')
const toMinted = constant('","block_number_minted":"')
const toAmount = constant('","amount":"')
const toType = constant('","contract_type":"')
const toEnd = constant('",')
const erc721 = constant('ERC721')
const erc1155 = constant('ERC1155')
const noAddress = constant('null')

/** Upper bound of a line's names, blocks and addresses; the numbers of a token are added. */
const bytesOfLine = 350

/**
 * The part of a record from the token's own row, as JSON, for each token in `rows`: the fields from `"token_id":"` to those of the metadata, without
 * braces. It has only hex and digits, so needs no escaping. `take` allocates this many bytes.
 */
export function writeLines(rows: Buffer, take: (size: number) => Buffer): Texts {
  const found: number[] = []
  let most = 0
  for (let at = 0; at < rows.length; ) {
    found.push(at)
    const id = numbersAt(rows, at)
    const amount = numericEnd(rows, id)
    most += bytesOfLine + numericBytes(rows, id) + numericBytes(rows, amount)
    at = numericEnd(rows, amount)
  }
  const bytes = take(most)
  const starts: number[] = []
  const ends: number[] = []
  let at = 0
  for (const row of found) {
    starts.push(at)
    at = writeLine(bytes, at, rows, row)
    ends.push(at)
  }
  return { bytes, starts, ends }
}

/** Positions of a token: of its last transfer, and of its mint; null: no known mint. */
type TokenPositions = { erc1155: boolean; last: bigint; mint: bigint | null; minter: Address | null }

/** The positions of each token. */
export function positionsIn(rows: Buffer): TokenPositions[] {
  const found: TokenPositions[] = []
  for (let at = 0; at < rows.length; ) {
    const last = factsAt(rows, at)
    const minter = last + minterAt
    const id = minter + 1 + rows[minter]!
    const address = rows[minter] === 0 ? null : (`0x${rows.toString('hex', minter + 1, id)}` as Address)
    found.push({
      erc1155: isErc1155At(rows, at),
      last: rows.readBigInt64BE(last),
      mint: address === null ? null : rows.readBigInt64BE(last + firstAt),
      minter: address,
    })
    at = numericEnd(rows, numericEnd(rows, id))
  }
  return found
}

/** Start, end and hash (32 hex digits) of each token in `rows`. */
export function tokensIn(rows: Buffer): { start: number; end: number; hash: string }[] {
  const found: { start: number; end: number; hash: string }[] = []
  for (let start = 0; start < rows.length; ) {
    const end = numericEnd(rows, numericEnd(rows, numbersAt(rows, start)))
    found.push({ start, end, hash: rows.toString('hex', start + hashAt, start + ownerAt) })
    start = end
  }
  return found
}

/** Whether the token that begins at `row` is of ERC-1155. */
export const isErc1155At = (rows: Buffer, row: number): boolean => rows[row] === 1

/** The id of the token that begins at `row`, in decimal. */
export function tokenIdAt(rows: Buffer, row: number): string {
  const id = numbersAt(rows, row)
  const text = Buffer.alloc(numericBytes(rows, id))
  return text.toString('latin1', 0, writeNumeric(text, 0, rows, id))
}

function writeLine(to: Buffer, start: number, rows: Buffer, row: number): number {
  const last = factsAt(rows, row)
  const minter = last + minterAt
  const id = minter + 1 + rows[minter]!
  let at = writeNumeric(to, write(to, start, toId), rows, id)
  at = writeHex(to, write(to, at, toHash), rows, row + hashAt, row + ownerAt)
  at = writeAddress(to, write(to, at, toOwner), rows, row + ownerAt)
  at = writeAddress(to, write(to, at, toMinter), rows, minter)
  at = writeNumber(to, write(to, at, toBlock), blockAt(rows, last))
  at = writeNumber(to, write(to, at, toMinted), blockAt(rows, last + firstAt))
  at = writeNumeric(to, write(to, at, toAmount), rows, numericEnd(rows, id))
  at = write(to, write(to, at, toType), isErc1155At(rows, row) ? erc1155 : erc721)
  return write(to, at, toEnd)
}

/** Start of the record's facts after hash and owner. */
function factsAt(rows: Buffer, row: number): number {
  return row + ownerAt + 1 + rows[row + ownerAt]!
}

/** Start of a token's id. */
function numbersAt(rows: Buffer, row: number): number {
  const minter = factsAt(rows, row) + minterAt
  return minter + 1 + rows[minter]!
}

function writeAddress(to: Buffer, at: number, rows: Buffer, from: number): number {
  const length = rows[from]!
  return length === 0 ? write(to, at, noAddress) : writeQuotedHex(to, at, rows, from + 1, from + 1 + length)
}
