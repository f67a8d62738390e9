import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { parse } from 'csv-parse'
import { BadRequestError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import type { FileFormat } from '../fileQuery.ts'
import { holderColumns } from './holderText.ts'
import { parquetRows } from './parquetRows.ts'
import { idBytesColumn } from './parquetSheet.ts'

/** A row of a snapshot. */
export type HolderOfFile = { tokenId: bigint; owner: Address; amount: bigint }

/** Rows per batch: enough for a few multicalls. */
const rowsAtOnce = 1_000

/** The rows of a snapshot's file, in order. Throws BadRequestError with the number of an invalid row. */
export async function* readHolderFile(path: string, format: FileFormat): AsyncGenerator<HolderOfFile[]> {
  const rows = { csv: csvRows, ndjson: ndjsonRows, parquet: holderRows }[format](path)
  let number = 0
  let batch: HolderOfFile[] = []
  for await (const cells of rows) {
    number++
    batch.push(
      holderOf(cells) ?? rejectFile(path, `row ${number} is not a holder: ${JSON.stringify(cells).slice(0, 200)}`),
    )
    if (batch.length < rowsAtOnce) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function* csvRows(path: string): AsyncGenerator<unknown[]> {
  const parser = parse({ bom: true, relax_column_count: true, relax_quotes: true })
  const file = createReadStream(path)
  file.on('error', (error) => parser.destroy(error))
  let head = true
  for await (const cells of file.pipe(parser) as AsyncIterable<string[]>) {
    if (!head) yield cells
    else if (cells.join() !== holderColumns.join())
      rejectFile(path, `the columns are ${cells.join().slice(0, 200)}; those of a snapshot are ${holderColumns.join()}`)
    head = false
  }
}

async function* ndjsonRows(path: string): AsyncGenerator<unknown[]> {
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === '') continue
    const row = jsonOf(line)
    yield holderColumns.map((name) => row?.[name])
  }
}

async function* holderRows(path: string): AsyncGenerator<unknown[]> {
  try {
    for await (const [bytes, ...cells] of parquetRows(path, [idBytesColumn, ...holderColumns]))
      yield isIdInBytes(cells[0], bytes) ? cells : [...cells, { [idBytesColumn]: String(bytes) }]
  } catch (cause) {
    throw new BadRequestError(`${path} is not a snapshot: it is not a whole Parquet file with the columns of one`, {
      cause,
    })
  }
}

function isIdInBytes(tokenId: unknown, bytes: unknown): boolean {
  if (typeof tokenId !== 'string' || !digits.test(tokenId) || !(bytes instanceof Uint8Array)) return false
  return BigInt(tokenId).toString(16).padStart(64, '0') === Buffer.from(bytes).toString('hex')
}

function jsonOf(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

const digits = /^\d{1,78}$/

/** undefined: the cells are no row, or have one too many. */
function holderOf([tokenId, owner, amount, ...others]: unknown[]): HolderOfFile | undefined {
  if (others.length > 0 || typeof tokenId !== 'string' || typeof owner !== 'string' || typeof amount !== 'string')
    return undefined
  if (!digits.test(tokenId) || !digits.test(amount) || !/^0x[0-9a-f]{40}$/i.test(owner)) return undefined
  return { tokenId: BigInt(tokenId), owner: owner.toLowerCase() as Address, amount: BigInt(amount) }
}

function rejectFile(path: string, reason: string): never {
  throw new BadRequestError(`${path} is not a snapshot: ${reason}`)
}
