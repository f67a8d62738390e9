import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../test/random.ts'
import { walk } from '../clients/walk.ts'
import type { World } from '../world.ts'

type Coin = Record<(typeof fields)[number], string | number | null>

const fields = [
  'transaction_version_created',
  'transaction_created_timestamp',
  'coin_type',
  'coin_type_hash',
  'creator_address',
  'decimals',
  'name',
  'symbol',
  'supply_aggregator_table_handle',
  'supply_aggregator_table_key',
] as const

/** All fields of a coin in one line. */
const lineOf = (coin: Coin): string => fields.map((field) => coin[field]).join(' | ')

/** Returns the coins up to a version, newest first. */
function trueCoins({ aptos }: World, upTo: bigint): string[] {
  return [...aptos.truth.values()]
    .filter(({ version }) => version <= upTo)
    .map(({ coin, version, timestampMicros }) => ({
      version,
      hash: createHash('sha256').update(coin.type).digest('hex'),
      coin,
      micros: timestampMicros,
    }))
    .sort((a, b) => Number(b.version - a.version) || (a.hash < b.hash ? -1 : 1))
    .map(({ version, hash, coin, micros }) =>
      lineOf({
        transaction_version_created: String(version),
        transaction_created_timestamp: `${new Date(Number(micros / 1_000n)).toISOString().slice(0, -1)}${String(micros % 1_000n).padStart(3, '0')}Z`,
        coin_type: coin.type,
        coin_type_hash: hash,
        creator_address: `0x${/^0x([0-9a-f]+)::/.exec(coin.type)![1]!.padStart(64, '0')}`,
        decimals: coin.decimals!,
        name: coin.name,
        symbol: coin.symbol!,
        supply_aggregator_table_handle: coin.supply?.handle ?? null,
        supply_aggregator_table_key: coin.supply?.key ?? null,
      }),
    )
}

/**
 * Invariant 4: a walk through the coins at any moment gives every coin up to the version of its first response, each once. It gives no
 * other coin after its first record.
 */
export async function checkCoins(world: World, random: Random): Promise<void> {
  const { client, journal } = world
  const walked = await walk<Coin>(client, `/coins/latest?limit=${1 + random.int(40)}`)
  // Something may have been unreachable. Otherwise `request` has already reported an error.
  if ('cut' in walked) return
  const to = walked.first.headers['x-index-to-version']
  if (to === undefined || walked.first.headers['x-index-status'] !== 'synced') return
  const given = walked.items.map(lineOf)
  const newest = BigInt(walked.items[0]?.transaction_version_created ?? -1)
  const expected = trueCoins(world, newest > BigInt(to) ? newest : BigInt(to))
  journal.count('walks through coins')
  if (given.join('\n') === expected.join('\n')) return checkByHash(world, walked.items, random)
  const missing = expected.filter((line) => !given.includes(line))
  const wrong = given.filter((line) => !expected.includes(line))
  journal.fault(
    '4 coins',
    `a walk up to version ${to} gave ${given.length} coins of ${expected.length}: missing ${missing[0]}, too many ${wrong[0]}`,
  )
}

/** Requests coins by their hashes. They must come in the requested order, without the unknown ones. */
async function checkByHash({ client, journal }: World, coins: readonly Coin[], random: Random): Promise<void> {
  if (coins.length === 0) return
  const requested = [...new Set(Array.from({ length: 10 }, () => random.pick(coins)))]
  const hashes = [...requested.map(({ coin_type_hash }) => coin_type_hash), '00'.repeat(32)]
  const answer = await client.request(`/coins?${hashes.map((hash) => `coin_type_hashes[]=${hash}`).join('&')}`)
  if (answer?.status !== 200) return
  const given = (JSON.parse(answer.text) as Coin[]).map(lineOf)
  if (given.join('\n') !== requested.map(lineOf).join('\n'))
    journal.fault('4 coins', `of ${requested.length} coins by hash ${given.length} came, the first ${given[0]}`)
}

/** Waits until every version is covered, and reports an error after `patienceMs`. */
export async function awaitCoins({ aptos, client, journal }: World, patienceMs: number): Promise<void> {
  const deadline = journal.now() + patienceMs
  for (;;) {
    const answer = await client.request('/coins/latest?limit=1')
    if (
      BigInt(answer?.headers['x-index-to-version'] ?? -1) >= aptos.head() &&
      answer?.headers['x-index-status'] === 'synced'
    )
      return
    if (journal.now() > deadline)
      return journal.fault(
        '6 help',
        `coins did not come to version ${aptos.head()} by themselves: ${JSON.stringify(answer?.headers)}`,
      )
    await wait(50)
  }
}
