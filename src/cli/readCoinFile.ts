import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { parse } from 'csv-parse'
import type { Coin } from '../coin/coin.ts'
import { CoinRecordError, parseCoinRecord } from '../coin/parseCoinRecord.ts'
import { MintmarkError } from '../errors.ts'

/** The file cannot be read, or one of its records is no coin. */
export class CoinFileError extends MintmarkError {
  readonly code = 'COIN_FILE'
}

/** A record with what its line was, and how many bytes of the file were read by then. */
export type ReadCoin = { coin: Coin; bytes: number }

export type CoinFile = { size: number; coins: AsyncIterable<ReadCoin> }

/** Opens a file of coin records: JSON lines where it begins with `{`, else CSV with the fields' names in its first line. */
export async function readCoinFile(path: string): Promise<CoinFile> {
  try {
    const { size } = await stat(path)
    const file = await open(path)
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64) })
    await file.close()
    const isJson = buffer
      .subarray(0, bytesRead)
      .toString()
      .replace(/^\uFEFF/, '')
      .trimStart()
      .startsWith('{')
    return { size, coins: isJson ? jsonLines(path) : csv(path) }
  } catch (cause) {
    throw new CoinFileError(`${path} cannot be read`, { cause })
  }
}

async function* jsonLines(path: string): AsyncGenerator<ReadCoin> {
  const input = createReadStream(path, 'utf8')
  let line = 0
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1
    const trimmed = text.replace(/^\uFEFF/, '').trim()
    if (trimmed === '') continue
    yield { coin: coinOf(() => JSON.parse(trimmed), path, line), bytes: input.bytesRead }
  }
}

async function* csv(path: string): AsyncGenerator<ReadCoin> {
  const input = createReadStream(path)
  const parser = input.pipe(
    parse({ columns: true, bom: true, info: true, skip_empty_lines: true, relax_column_count_less: true }),
  )
  input.on('error', (error) => parser.destroy(error))
  try {
    for await (const { record, info } of parser as AsyncIterable<{
      record: Record<string, unknown>
      info: { lines: number }
    }>)
      yield { coin: coinOf(() => record, path, info.lines), bytes: input.bytesRead }
  } catch (cause) {
    if (cause instanceof MintmarkError) throw cause
    throw new CoinFileError(`${path} is no CSV file with the fields' names in its first line`, { cause })
  }
}

function coinOf(read: () => unknown, path: string, line: number): Coin {
  let record: unknown
  try {
    record = read()
  } catch (cause) {
    throw new CoinFileError(`${path}, line ${line}: no JSON`, { cause })
  }
  if (typeof record !== 'object' || record === null) throw new CoinFileError(`${path}, line ${line}: no object`)
  try {
    return parseCoinRecord(record as Record<string, unknown>)
  } catch (error) {
    if (error instanceof CoinRecordError) throw new CoinFileError(`${path}, line ${line}: ${error.message}`)
    throw error
  }
}
