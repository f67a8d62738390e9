import { setTimeout as wait } from 'node:timers/promises'
import type { Address } from '../../src/util/hex.ts'
import type { Random } from '../../test/random.ts'
import type { WorldContract } from '../chain/contracts.ts'
import { accounts } from '../chain/drawActivity.ts'
import type { Ownership } from '../chain/ownership.ts'
import { walk } from '../clients/walk.ts'
import type { Answered } from '../clients/worldClient.ts'
import type { World } from '../world.ts'
import {
  differenceOf,
  firstDifference,
  type Listed,
  type ListedTransfer,
  ownerLine,
  transferLine,
  trueOwners,
  trueRecords,
  trueStats,
  trueTransfers,
} from './pages.ts'
import { differenceOfBlocks, differenceOfTokens } from './tokens.ts'

const base = (contract: WorldContract, rest = '') => `/api/v2/nft/${contract.address}${rest}?chain=local`

/** Milliseconds in which the tables of wallets must follow the last block. */
const walletPatienceMs = 30_000

/** Why a collection may be waiting: the failure, the attempts, the seconds until a retry and the seconds since its last turn and check. */
const waiting = `
SELECT status, reason, attempts, extract(epoch FROM retry_at - now())::int, extract(epoch FROM now() - turn_at)::int,
  extract(epoch FROM now() - checked_at)::int, standard, from_block::int, coverage::text
FROM collection WHERE address = decode(substr($1, 3), 'hex')`

/** Why a chain may not be followed: its position, its lease, and the open transactions with what they wait for. */
const following = [
  'SELECT row_to_json(c) FROM chain c',
  `SELECT l.kind, l.key, l.worker_id FROM lease l WHERE l.kind = 'chain'`,
  `SELECT pid, state, wait_event_type, wait_event, now() - xact_start, pg_blocking_pids(pid), left(query, 120) FROM pg_stat_activity
   WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()`,
]

/** Why wallets and counts of owners may differ: for each collection the stored count, the actual count, pending work and the worker. */
const indexing = `
SELECT encode(c.address, 'hex'), c.id::int, (SELECT owners::int FROM owner_count o WHERE o.partition = c.partition AND o.collection_id = c.id) AS counted,
  (SELECT count(*)::int FROM wallet_collection w WHERE w.collection_id = c.id) AS wallets,
  (SELECT count(DISTINCT w.wallet)::int FROM wallet_token w WHERE w.collection_id = c.id) AS holders,
  (SELECT count(*)::int FROM wallet_due d WHERE d.partition = c.partition AND d.collection_id = c.id) AS due,
  (SELECT worker_id FROM lease l WHERE l.kind = 'partition' AND l.key = c.partition) AS worker
FROM collection c ORDER BY c.id`

const toJson = (value: unknown) => JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? String(part) : part))

/** Waits until every collection is synced at the head, and reports an error after `patienceMs`. */
export async function awaitCollections(
  { chain, client, database, journal }: World,
  patienceMs: number,
): Promise<boolean> {
  const deadline = journal.now() + patienceMs
  const head = chain.head().number
  for (const contract of chain.contracts.filter(({ deployedAt }) => deployedAt <= chain.finalized()))
    for (;;) {
      const answer = await client.request(`${base(contract)}&limit=1`)
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
        const row = await database.rowsUnlessUnreachable(waiting, [contract.address])
        const ofChain = await Promise.all(following.map((text) => database.rowsUnlessUnreachable(text)))
        journal.fault(
          '6 help',
          `${contract.kind} did not come to block ${head} by itself: ${state}; its row is ${toJson(row)}, its chain's ${toJson(ofChain)}`,
        )
        return false
      }
      await wait(50)
    }
  return true
}

/** Invariant 1: every collection is as the chain made it, in every list that shows it, now and at an earlier block. */
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
    await checkEarlier(world, contract, random, broken)
    await checkLists(world, contract, now, broken)
    const ofOne =
      (await differenceOfTokens(world, contract, now, random)) ??
      (await differenceOfBlocks(world, contract, listed(world), random))
    if (ofOne) broken(ofOne)
  }
  const all = await walk<ListedTransfer>(world.client, '/api/v2/nft/transfers?chain=local&order=ASC')
  const difference =
    'cut' in all
      ? `was answered ${all.cut?.status}`
      : firstDifference(all.items.map(transferLine), trueTransfers(chain.blocks, listed(world)))
  if (difference) journal.fault('1 state', `the list of all transfers: ${difference}`)
  for (let i = 0; i < 3; i++) await checkWallet(world, random.pick(accounts), now)
}

/** Returns the contracts whose tokens are indexed. */
const listed = ({ chain }: World) =>
  chain.contracts.filter(({ standard, deployedAt }) => standard && deployedAt <= chain.finalized())

/** Returns the contracts whose tokens wallets show. Over the whole chain, topics do not find `unindexed721`, so it must be indexed. */
const ofWallets = (world: World) =>
  world.wallets === 'indexed'
    ? listed(world)
    : world.chain.contracts.filter(
        (contract) => contract.standard && (contract.kind !== 'unindexed721' || listed(world).includes(contract)),
      )

/** Compares tokens and owners at a random past block. */
async function checkEarlier(
  { chain, client }: World,
  contract: WorldContract,
  random: Random,
  broken: (text: string) => void,
): Promise<void> {
  const block = chain.blocks[contract.deployedAt + random.int(chain.head().number - contract.deployedAt + 1)]!
  const then = chain.ownershipAt(block)
  const at = `as_of_block=${block.number}`
  const tokens = await walk<Listed>(client, `${base(contract)}&${at}`)
  const owners = await walk<Listed>(client, `${base(contract, '/owners')}&${at}`)
  const unanswered = (cut: Answered | undefined) =>
    broken(`block ${block.number} was answered ${cut?.status} ${cut?.text}`)
  if ('cut' in tokens) return unanswered(tokens.cut)
  if ('cut' in owners) return unanswered(owners.cut)
  const difference =
    differenceOf(tokens.items, trueRecords(contract, then)) ??
    firstDifference(owners.items.map(ownerLine), trueOwners(contract, then))
  if (difference) broken(`at block ${block.number} ${difference}`)
}

async function checkLists(
  world: World,
  contract: WorldContract,
  now: Ownership,
  broken: (text: string) => void,
): Promise<void> {
  const { chain, client } = world
  const owners = await walk<Listed>(client, `${base(contract, '/owners')}&limit=100`)
  const holding = 'cut' in owners ? ['not answered'] : owners.items.map(ownerLine)
  const wrongOwner = firstDifference(holding, trueOwners(contract, now))
  if (wrongOwner) broken(`of its owners ${wrongOwner}`)
  const transfers = await walk<ListedTransfer>(client, `${base(contract, '/transfers')}&order=ASC`)
  const moved = 'cut' in transfers ? ['not answered'] : transfers.items.map(transferLine)
  const wrongTransfer = firstDifference(moved, trueTransfers(chain.blocks, [contract]))
  if (wrongTransfer) broken(`of its transfers ${wrongTransfer}`)
  await checkRanges(world, contract, now, broken)
}

/** Three ranges must be disjoint, give the whole collection together, and return correct totals. */
async function checkRanges(
  { client }: World,
  contract: WorldContract,
  now: Ownership,
  broken: (text: string) => void,
): Promise<void> {
  const parts: Listed[][] = []
  for (const range of [2, 1, 0]) {
    const path = `${base(contract)}&totalRanges=3&range=${range}&disable_total=false`
    const part = await walk<Listed>(client, path)
    if ('cut' in part) return broken(`range ${range} was answered ${part.cut?.status}`)
    const { total } = JSON.parse(part.first.text) as { total: number }
    if (total !== part.items.length) broken(`range ${range} counts ${total} tokens and lists ${part.items.length}`)
    parts.push(part.items)
  }
  const difference = differenceOf(parts.flat(), trueRecords(contract, now))
  if (difference) broken(`in three ranges ${difference}`)
}

/** Compares a wallet's tokens, transfers and counts. They follow the head with a short delay. */
async function checkWallet(world: World, wallet: Address, now: Ownership): Promise<void> {
  const { chain, client, journal } = world
  const held = ofWallets(world).flatMap(({ address: contract }) =>
    [...(now.get(contract) ?? [])].flatMap(([id, { holders }]) =>
      holders.has(wallet) ? [`${contract} ${id} ${holders.get(wallet)}`] : [],
    ),
  )
  const counts = Map.groupBy(held, (line) => line.slice(0, 42))
  const compare = async (): Promise<string | undefined> => {
    const tokens = await walk<Listed>(client, `/api/v2/${wallet}/nft?chain=local`)
    const moved = await walk<ListedTransfer>(client, `/api/v2/${wallet}/nft/transfers?chain=local&order=ASC`)
    const places = `/api/v2/${wallet}/nft/collections?chain=local&token_counts=true`
    const collections = await walk<{ token_address: string; count: number }>(client, places)
    if ('cut' in tokens || 'cut' in moved || 'cut' in collections) return `${wallet} was not answered`
    const given = tokens.items.map((item) => `${item.token_address} ${item.token_id} ${item.amount}`)
    const counted = collections.items.map(({ token_address, count }) => `${token_address} ${count}`)
    const wrong =
      firstDifference(given.sort(), held.sort()) ??
      firstDifference(counted.sort(), [...counts].map(([address, { length }]) => `${address} ${length}`).sort()) ??
      firstDifference(moved.items.map(transferLine), trueTransfers(chain.blocks, ofWallets(world), wallet))
    if (wrong) return `of ${wallet} ${wrong}`
    for (const contract of listed(world)) {
      const answer = await client.request(base(contract, '/stats'))
      const stats = JSON.stringify(trueStats(contract, now))
      if (answer?.text !== stats) return `statistics of ${contract.kind} are ${answer?.text} and should be ${stats}`
    }
    return undefined
  }
  const deadline = journal.now() + walletPatienceMs
  let wrong = await compare()
  while (wrong !== undefined && journal.now() < deadline) {
    await wait(100)
    wrong = await compare()
  }
  if (wrong === undefined) return
  const found = await world.database.rowsUnlessUnreachable(indexing)
  journal.fault('1 state', `${wrong}; the tables of wallets have ${toJson(found)}`)
}
