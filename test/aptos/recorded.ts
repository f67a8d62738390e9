import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../../shared/data/aptos', import.meta.url))

/** The reason why tests of recorded transactions are skipped; false if there are recordings. */
export const recordedMissing = existsSync(folder) ? false : 'no recorded transactions in ../shared/data/aptos'

export type RecordedTransaction = {
  /** Its path below both folders. */
  file: string
  /** In the JSON form of protobuf. */
  proto: Record<string, unknown>
  /** In the form of the REST API. */
  rest: Record<string, unknown>
}

export type ExpectedCoin = { file: string; row: Record<string, unknown> & { coin_type: string } }
export type PublishedCoin = { coin_type: string; coin_type_hash: string }

function readJson<T>(...path: string[]): T {
  return JSON.parse(readFileSync(join(folder, ...path), 'utf8')) as T
}

/** The 116 transactions recorded from mainnet, testnet and devnet, ascending by version. */
export function recordedTransactions(): RecordedTransaction[] {
  return globSync('**/*.json', { cwd: join(folder, 'grpc_json') })
    .map((file) => ({ file, proto: readJson('grpc_json', file), rest: readJson('rest_converted', file) }) as const)
    .map((one) => one as RecordedTransaction)
    .toSorted((a, b) => Number(a.rest.version) - Number(b.rest.version))
}

export const expectedCoins = () => readJson<ExpectedCoin[]>('expected_coin_infos.json')
export const publishedCoins = () => readJson<PublishedCoin[]>('published_coins.json')

/** The response of a test node to `GET /v1/transactions?start=0&limit=…`: the genesis transaction. */
export function genesis(): Record<string, unknown> {
  const file = globSync('*genesis_transaction.json', { cwd: join(folder, 'rest_goldens') })[0]!
  const body = readJson<unknown>('rest_goldens', file)
  const list = Array.isArray(body) ? body : [body]
  return list.find((item) => item.type === 'genesis_transaction')
}
