import { readResource } from '../chain/aptos/readResource.ts'
import type { RestClient } from '../chain/aptos/restClient.ts'
import type { AptosWrite } from '../chain/aptos/source.ts'
import type { Sql } from '../db/database.ts'
import { column, defineRow, type RowOf } from '../db/defineRow.ts'
import type { CoinState } from './decode/coinState.ts'
import { assetResources } from './decode/decodeAssets.ts'
import { coinInfoPrefix, decodeCoins } from './decode/decodeCoins.ts'
import { isShown } from './pages/coinSql.ts'
import { stateOf } from './pages/stateSql.ts'
import type { NetworkState } from './query.ts'

/** A difference between a stored coin and a node, as texts. */
export type CoinDifference = { coinType: string; field: string; stored: string; chain: string }

export type CoinVerification = { version: bigint; compared: number; differences: CoinDifference[] }

const storedRow = defineRow({
  record: column.text('c.record'),
  standard: column.int2('c.standard'),
  /** The supply is counted in a table, which resources do not contain. */
  isCounted: column.bool('c.aggregator IS NOT NULL'),
  decimals: column.int2('own.decimals').orNull(),
  supply: column.text('own.supply::text').orNull(),
  maximum: column.text('own.maximum::text').orNull(),
  deleted: column.bool('coalesce(own.deleted, false)'),
})

/** Reproducible sample by seed, without imported coins, whose states were not read. */
const selectSample = `SELECT ${storedRow.columns} FROM (
  SELECT c.* FROM coin c WHERE ${isShown('all')} AND NOT c.imported ORDER BY md5($3 || encode(c.coin_type_hash, 'hex')) LIMIT $4) c
JOIN LATERAL (${stateOf('c.coin_type_hash')}) own ON true`

/** Compares randomly sampled coins with a node's resources at the end of the last covered version. Throws an AptosError. */
export async function verifyCoins(options: {
  db: Sql
  state: NetworkState & { toVersion: bigint }
  client: RestClient
  seed: string
  sample: number
  onProgress: (done: number, total: number) => void
  signal: AbortSignal
}): Promise<CoinVerification> {
  const { db, state, client, seed, sample, onProgress, signal } = options
  const version = state.toVersion
  const coins = (await db.rows(selectSample, [state.id, version, seed, sample])).map(storedRow.decode)
  const differences: CoinDifference[] = []
  for (const [place, stored] of coins.entries()) {
    signal.throwIfAborted()
    const record = JSON.parse(stored.record) as { coin_type: string; creator_address: string }
    const writes: AptosWrite[] = []
    for (const resource of resourcesOf(stored, record)) {
      const found = await readResource(client, { ...resource, version }, signal)
      if (found) writes.push(found)
    }
    for (const difference of compare(stored, stateIn(writes, version)))
      differences.push({ coinType: record.coin_type, ...difference })
    onProgress(place + 1, coins.length)
  }
  return { version, compared: coins.length, differences }
}

function resourcesOf(
  { standard }: RowOf<typeof storedRow>,
  { coin_type, creator_address }: { coin_type: string; creator_address: string },
): { address: string; type: string }[] {
  if (standard === 1) return [{ address: creator_address, type: `${coinInfoPrefix}${coin_type}>` }]
  const { metadata, object, supply, concurrentSupply } = assetResources
  return [metadata, object, supply, concurrentSupply].map((type) => ({ address: coin_type, type }))
}

/** The state after a transaction with these writes; undefined if they contain none. */
function stateIn(writes: AptosWrite[], version: bigint): CoinState | undefined {
  const transaction = { version, kind: 'user', success: true, timestampMicros: 0n, deleted: [], items: [] } as const
  return decodeCoins([{ ...transaction, deleted: [], items: [], writes }], () => undefined).states[0]
}

function compare(stored: RowOf<typeof storedRow>, chain: CoinState | undefined): Omit<CoinDifference, 'coinType'>[] {
  // Resources of an asset without its object have no owner.
  const isDeleted = chain === undefined || chain.deleted
  if (stored.deleted || isDeleted)
    return stored.deleted === isDeleted
      ? []
      : [{ field: 'deleted', stored: String(stored.deleted), chain: String(isDeleted) }]
  const pairs = [
    ['decimals', stored.decimals, chain.decimals],
    ['maximum', stored.maximum, chain.maximum],
    ...(stored.isCounted ? [] : [['supply', stored.supply, chain.supply] as const]),
  ] as const
  return pairs
    .map(([field, own, other]) => ({ field, stored: String(own), chain: String(other) }))
    .filter((one) => one.stored !== one.chain)
}
