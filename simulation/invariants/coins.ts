import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../test/random.ts'
import { walk } from '../clients/walk.ts'
import type { World } from '../world.ts'

type Coin = { coin_type: string; transaction_version_created: string; decimals: number; name: string }

const lineOf = (coin: Coin) => `${coin.transaction_version_created} ${coin.coin_type} ${coin.decimals} ${coin.name}`

/** Coins up to a version, newest first. */
function trueCoins({ aptos }: World, upTo: bigint): string[] {
  return [...aptos.truth.values()]
    .filter(({ version }) => version <= upTo)
    .map(({ coin, version }) => ({
      hash: createHash('sha256').update(coin.type).digest('hex'),
      version,
      line: lineOf({
        ...{ coin_type: coin.type, transaction_version_created: String(version) },
        ...{ decimals: coin.decimals!, name: coin.name },
      }),
    }))
    .sort((a, b) => Number(b.version - a.version) || (a.hash < b.hash ? -1 : 1))
    .map(({ line }) => line)
}

/**
 * Invariant 4: a walk through the coins, at any moment, gives every coin up to the version of its first answer and no other below its
 * first record, each once.
 */
export async function checkCoins(world: World, random: Random): Promise<void> {
  const { client, journal } = world
  const walked = await walk<Coin>(client, `/coins/latest?limit=${1 + random.int(40)}`)
  if ('cut' in walked) return
  const to = walked.first.headers['x-index-to-version']
  if (to === undefined || walked.first.headers['x-index-status'] !== 'synced') return
  const given = walked.items.map(lineOf)
  const newest = BigInt(walked.items[0]?.transaction_version_created ?? -1)
  const expected = trueCoins(world, newest > BigInt(to) ? newest : BigInt(to))
  if (given.join('\n') === expected.join('\n')) return
  const missing = expected.filter((line) => !given.includes(line))
  const wrong = given.filter((line) => !expected.includes(line))
  journal.fault(
    '4 coins',
    `a walk up to version ${to} gave ${given.length} coins of ${expected.length}: missing ${missing[0]}, too many ${wrong[0]}`,
  )
}

/** Waits until every version is covered; a fault where that does not come by itself. */
export async function awaitCoins({ aptos, client, journal }: World, patienceMs: number): Promise<void> {
  const deadline = journal.now() + patienceMs
  for (;;) {
    const answer = await client.ask('/coins/latest?limit=1')
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
