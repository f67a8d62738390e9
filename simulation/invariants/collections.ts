import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../../test/random.ts'
import type { WorldContract } from '../chain/contracts.ts'
import { accounts } from '../chain/drawActivity.ts'
import type { Ownership } from '../chain/ownership.ts'
import { walk } from '../clients/walk.ts'
import type { World } from '../world.ts'
import {
  differenceOf,
  type Listed,
  type ListedTransfer,
  transferLine,
  trueOwners,
  trueRecords,
  trueStats,
  trueTransfers,
} from './pages.ts'

const base = (contract: WorldContract, rest = '') => `/api/v2/nft/${contract.address}${rest}?chain=local`

/** Waits until every collection is synced at the head; a fault where one does not come there by itself. */
export async function awaitCollections({ chain, client, journal }: World, patienceMs: number): Promise<boolean> {
  const deadline = journal.now() + patienceMs
  const head = chain.head().number
  for (const contract of chain.contracts.filter(({ deployedAt }) => deployedAt <= chain.finalized()))
    for (;;) {
      const answer = await client.ask(`${base(contract)}&limit=1`)
      const to = Number(answer?.headers['x-index-to-block'] ?? -1)
      if (answer?.status === 200 && answer.headers['x-index-status'] === 'synced' && to === head) break
      if (journal.now() > deadline) {
        const state =
          answer &&
          JSON.stringify({
            status: answer.status,
            to,
            index: answer.headers['x-index-status'],
            text: answer.text.slice(0, 200),
          })
        journal.fault('6 help', `${contract.kind} did not come to block ${head} by itself: ${state}`)
        return false
      }
      await wait(50)
    }
  return true
}

/** Invariant 1: every collection is what the chain made, in every list that tells of it, now and at an earlier block. */
export async function checkCollections(world: World, random: Random): Promise<void> {
  const { chain, journal } = world
  const now = chain.ownershipAt(chain.head())
  for (const contract of chain.contracts.filter(({ deployedAt }) => deployedAt <= chain.finalized())) {
    const broken = (text: string) => journal.fault('1 state', `${contract.kind} ${contract.name}: ${text}`)
    const whole = await walk<Listed>(world.client, `${base(contract)}&limit=${7 + random.int(94)}`)
    if ('cut' in whole) {
      broken(`its pages end with ${whole.cut?.status}`)
      continue
    }
    const difference = differenceOf(whole.items, contract.standard ? trueRecords(contract, now) : [])
    if (difference) broken(difference)
    if (!contract.standard) continue
    const block = chain.blocks[contract.deployedAt + random.int(chain.head().number - contract.deployedAt + 1)]!
    const earlier = await walk<Listed>(world.client, `${base(contract)}&as_of_block=${block.number}`)
    const wrong =
      'cut' in earlier
        ? `answered ${earlier.cut?.text}`
        : differenceOf(earlier.items, trueRecords(contract, chain.ownershipAt(block)))
    if (wrong) broken(`at block ${block.number} ${wrong}`)
    await checkLists(world, contract, now, broken)
  }
  await checkWallets(world, random, now)
}

async function checkLists(
  { chain, client }: World,
  contract: WorldContract,
  now: Ownership,
  broken: (text: string) => void,
): Promise<void> {
  const owners = await walk<Listed>(client, `${base(contract, '/owners')}&limit=100`)
  const holding =
    'cut' in owners ? [] : owners.items.map((item) => `${item.token_id},${item.owner_of},${item.amount}`).sort()
  if (holding.join('\n') !== trueOwners(contract, now).join('\n'))
    broken(`its owners are ${holding.length} rows that are not the chain's`)
  const transfers = await walk<ListedTransfer>(client, `${base(contract, '/transfers')}&order=ASC`)
  const moved = 'cut' in transfers ? [] : transfers.items.map(transferLine)
  const expected = trueTransfers(chain, contract, chain.head())
  if (moved.join('\n') !== expected.join('\n'))
    broken(`its ${moved.length} transfers are not the ${expected.length} of the chain`)
}

/** What wallets hold, and the counters that come of it, follow a moment later. */
async function checkWallets(world: World, random: Random, now: Ownership): Promise<void> {
  const { chain, client, journal } = world
  const wallet = random.pick(accounts)
  const held = [...now].flatMap(([contract, tokens]) =>
    [...tokens].flatMap(([id, { holders }]) =>
      holders.has(wallet) ? [`${contract} ${id} ${holders.get(wallet)}`] : [],
    ),
  )
  const compare = async (): Promise<string | undefined> => {
    const walked = await walk<Listed>(client, `/api/v2/${wallet}/nft?chain=local`)
    if ('cut' in walked) return `the tokens of ${wallet} were answered ${walked.cut?.status}`
    const given = walked.items.map((item) => `${item.token_address} ${item.token_id} ${item.amount}`)
    if (given.sort().join('\n') !== held.sort().join('\n'))
      return `${wallet} holds ${held.length} tokens, and ${given.length} are listed`
    for (const contract of chain.contracts.filter(
      ({ deployedAt, standard }) => standard && deployedAt <= chain.finalized(),
    )) {
      const answer = await client.ask(base(contract, '/stats'))
      const stats = JSON.stringify(trueStats(contract, now))
      if (answer?.text !== stats) return `statistics of ${contract.kind} are ${answer?.text} and should be ${stats}`
    }
    return undefined
  }
  const deadline = journal.now() + 30_000
  let wrong = await compare()
  while (wrong !== undefined && journal.now() < deadline) {
    await wait(100)
    wrong = await compare()
  }
  if (wrong !== undefined) journal.fault('1 state', wrong)
}
