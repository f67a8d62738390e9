import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { addAbortSignal, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CsvError, parse } from 'csv-parse'
import type { Coin } from '../../coin/decode/coin.ts'
import { CoinRecordError, parseCoinRecord } from '../../coin/decode/parseCoinRecord.ts'
import { MintmarkError } from '../../util/errors.ts'
import { splitJson } from './splitJson.ts'

/** The file cannot be read, or a record is not a valid coin. */
export class CoinFileError extends MintmarkError {
  readonly code = 'COIN_FILE'
}

/** A record with its position, such as `coins.csv, line 3`, and the number of bytes read so far. */
export type ReadCoin = { coin: Coin; at: string; bytes: number }

/** `size`: in bytes; undefined for a pipe. */
export type CoinFile = { size: number | undefined; coins: AsyncIterable<ReadCoin> }

/** Most bytes of a record, or of an API answer with a hundred records: usual ones have about 500 per record. */
const maxRecordBytes = 1_048_576

/** https://www.rfc-editor.org/rfc/rfc1952#section-2.3.1 */
const gzipStart = Buffer.of(0x1f, 0x8b)

/** A byte stream whose first bytes are read, with its name for messages. */
type Source = { name: string; chunks: AsyncIterable<Buffer>; bytes: () => number }

/**
 * Opens coin records: a file, a pipe, or standard input (`-`). JSON lines begin with `{`, a JSON array with `[`;
 * anything else is CSV with field names in its first line. An answer of `/coins/latest` is read as its records. Memory
 * use is bounded.
 */
export async function readCoinFile(path: string, signal: AbortSignal): Promise<CoinFile> {
  const name = path === '-' ? 'standard input' : path
  try {
    const found = path === '-' ? undefined : await stat(path)
    const input = addAbortSignal(signal, path === '-' ? process.stdin : createReadStream(path))
    return { size: found?.isFile() ? found.size : undefined, coins: readRecords(name, input) }
  } catch (cause) {
    throw new CoinFileError(`${name} cannot be read`, { cause })
  }
}

/** The records of a byte stream; messages call it `name`. */
export async function* readRecords(name: string, input: Readable): AsyncGenerator<ReadCoin> {
  const iterator = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  const started: Buffer[] = []
  let bytes = 0
  async function next(): Promise<Buffer | undefined> {
    const { done, value } = await iterator.next().catch((cause: unknown) => {
      if (input.errored?.name === 'AbortError') throw cause
      throw new CoinFileError(`${name} cannot be read`, { cause })
    })
    if (!done) bytes += value.length
    return done ? undefined : value
  }
  async function* rest(): AsyncGenerator<Buffer> {
    yield* started
    for (let chunk = await next(); chunk; chunk = await next()) yield chunk
  }

  try {
    let first: string | undefined
    while (first === undefined) {
      const chunk = await next()
      if (!chunk) break
      const text = withoutMark(chunk, started.length === 0)
      started.splice(0, started.length, text)
      first = /\S/.exec(text.toString('latin1'))?.[0]
    }
    if (started[0]?.subarray(0, 2).equals(gzipStart))
      throw new CoinFileError(`${name} is compressed: unpack it first, as with gunzip -c`)
    const source = { name, chunks: rest(), bytes: () => bytes }
    yield* first === '{' || first === '[' ? jsonRecords(source) : csvRecords(source)
  } finally {
    input.destroy()
  }
}

/** Strips a UTF-8 byte order mark. */
function withoutMark(chunk: Buffer, isStart: boolean): Buffer {
  return isStart && chunk.subarray(0, 3).equals(Buffer.from('\uFEFF')) ? chunk.subarray(3) : chunk
}

async function* jsonRecords({ name, chunks, bytes }: Source): AsyncGenerator<ReadCoin> {
  for await (const part of splitJson(chunks, { maxBytes: maxRecordBytes })) {
    const at = `${name}, line ${part.line}`
    if ('fault' in part)
      throw new CoinFileError(
        part.fault === 'noJson' ? `${at}: not JSON` : `${at}: a record of more than ${maxRecordBytes} bytes`,
      )
    for (const record of recordsOf(part.text, at)) yield { coin: coinOf(record, at), at, bytes: bytes() }
  }
}

async function* csvRecords({ name, chunks, bytes }: Source): AsyncGenerator<ReadCoin> {
  const parser = parse({
    columns: (names: string[]) => {
      if (!names.includes('coin_type'))
        throw new CoinFileError(`${name} is neither JSON nor CSV: its first line has no field coin_type`)
      return names
    },
    ...{ bom: true, info: true, skip_empty_lines: true, relax_column_count_less: true },
    max_record_size: maxRecordBytes,
  })
  const reading = pipeline(Readable.from(chunks), parser)
  // Destroying the parser with the error makes reading from it throw.
  reading.catch(() => undefined)
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Record<string, unknown>
      info: { lines: number }
    }>) {
      const at = `${name}, line ${info.lines}`
      yield { coin: coinOf(record, at), at, bytes: bytes() }
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    if (cause.code === 'CSV_MAX_RECORD_SIZE')
      throw new CoinFileError(`${name}, line ${cause.lines}: a record of more than ${maxRecordBytes} bytes`)
    // Not the parser's message, which quotes the input.
    throw new CoinFileError(
      `${name}, line ${cause.lines}: not a CSV file with the fields' names in its first line (${cause.code})`,
    )
  }
}

/** The record of an object, or all records of an answer of `/coins/latest`. */
function recordsOf(text: string, at: string): Record<string, unknown>[] {
  let object: Record<string, unknown>
  try {
    object = JSON.parse(text)
  } catch {
    throw new CoinFileError(`${at}: not JSON`)
  }
  const { result } = object
  if (object.coin_type !== undefined || !Array.isArray(result)) return [object]
  if (result.some((record) => typeof record !== 'object' || record === null))
    throw new CoinFileError(`${at}: result contains something that is not an object`)
  return result
}

function coinOf(record: Record<string, unknown>, at: string): Coin {
  try {
    return parseCoinRecord(record)
  } catch (error) {
    if (error instanceof CoinRecordError) throw new CoinFileError(`${at}: ${error.message}`)
    throw error
  }
}
