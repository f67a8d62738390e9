import type { Random } from '../../test/random.ts'
import type { WorldContract } from '../chain/contracts.ts'
import { accounts } from '../chain/drawActivity.ts'
import type { Ownership } from '../chain/ownership.ts'
import type { WorldBlock } from '../chain/worldChain.ts'
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
} from '../invariants/pages.ts'
import type { World } from '../world.ts'
import { walk } from './walk.ts'
import { walkCollection, walkLedger, walkWallet } from './walkAnywhere.ts'
import type { Answered } from './worldClient.ts'

/**
 * A client that pages and filters at random while everything happens. Each response must be true at one block of one fork. The response
 * contains the number or the hash of that block.
 */
export async function readOnce(world: World, random: Random): Promise<void> {
  const { chain } = world
  const contract = random.pick(chain.contracts.filter(({ deployedAt }) => deployedAt <= chain.finalized()))
  const reads = [
    () => readHead(world, contract),
    () => readState(world, contract, random),
    () => readState(world, contract, random),
    () => readTransfers(world, contract),
    () => readOwners(world, contract),
    () => readStats(world, contract),
    () => readSnapshot(world, contract, random),
    () => walkCollection(world, contract, random),
    () => walkWallet(world, random),
    () => walkLedger(world, random),
    () => readAnything(world, contract, random),
    () => readAnything(world, contract, random),
  ]
  await random.pick(reads)()
}

const base = (contract: WorldContract, rest = '') => `/api/v2/nft/${contract.address}${rest}?chain=local`

/**
 * Reports an error if the response of a synced collection is wrong at every block of the number in its header, on all forks. `differ`
 * returns the difference from the truth at a block, as text.
 */
function holdOne(
  { chain, journal }: World,
  { kind }: WorldContract,
  { headers }: Answered,
  what: string,
  differ: (block: WorldBlock, ownership: Ownership) => string | undefined,
): void {
  const to = headers['x-index-to-block']
  if (headers['x-index-status'] !== 'synced' || to === undefined) return
  const differences = chain.candidates(Number(to)).map((block) => differ(block, chain.ownershipAt(block)))
  journal.count(`${what} held against a block`)
  if (differences.every((difference) => difference !== undefined))
    journal.fault('5 mixed', `${what} of ${kind} are of no block ${to} there ever was: ${differences.at(-1)}`)
}

/** Reads the first page of a collection at the head. All of it must be the state at one block. */
async function readHead(world: World, contract: WorldContract): Promise<void> {
  const answer = await world.client.request(`${base(contract)}&limit=100`)
  if (answer?.status !== 200) return
  const { result } = JSON.parse(answer.text) as { result: Listed[] }
  holdOne(world, contract, answer, 'tokens', (_, ownership) =>
    differenceOf(result, contract.standard ? trueRecords(contract, ownership).slice(0, 100) : []),
  )
}

async function readOwners(world: World, contract: WorldContract): Promise<void> {
  const answer = await world.client.request(`${base(contract, '/owners')}&limit=100`)
  if (answer?.status !== 200) return
  const given = (JSON.parse(answer.text) as { result: Listed[] }).result.map(ownerLine)
  holdOne(world, contract, answer, 'owners', (_, ownership) =>
    firstDifference(given, contract.standard ? trueOwners(contract, ownership).slice(0, 100) : []),
  )
}

async function readTransfers(world: World, contract: WorldContract): Promise<void> {
  const answer = await world.client.request(`${base(contract, '/transfers')}&limit=100`)
  if (answer?.status !== 200) return
  const given = (JSON.parse(answer.text) as { result: ListedTransfer[] }).result.map(transferLine)
  holdOne(world, contract, answer, 'transfers', (block) => {
    const expected = contract.standard ? trueTransfers(world.chain.ancestry(block), [contract]) : []
    return firstDifference(given, expected.reverse().slice(0, 100))
  })
}

/** Reads the counters of a collection. The count of owners may be of an earlier block, which a header contains. */
async function readStats(world: World, contract: WorldContract): Promise<void> {
  const answer = await world.client.request(base(contract, '/stats'))
  if (answer?.status !== 200 || !contract.standard) return
  const given = JSON.parse(answer.text) as ReturnType<typeof trueStats>
  const ownersTo = Number(answer.headers['x-index-owners-to-block'] ?? -1)
  holdOne(world, contract, answer, 'counters', (block, ownership) => {
    const expected = trueStats(contract, ownership)
    const owners = ownersTo >= block.number ? expected.owners : given.owners
    return firstDifference([JSON.stringify(given)], [JSON.stringify({ ...expected, owners })])
  })
}

/** Returns the block with the hash in a response; undefined if the chain never had it. */
function blockOf({ chain, journal }: World, hash: string | undefined, of: string): WorldBlock | undefined {
  const block = hash === undefined ? undefined : chain.byHash(hash)
  if (!block) journal.fault('2 coverage', `${of} names block ${hash}, which no node ever had`)
  return block
}

/** Reads the whole list at the end of a past block. */
async function readState(world: World, contract: WorldContract, random: Random): Promise<void> {
  const { chain, client, journal } = world
  const requested = random.int(chain.head().number + 1)
  const path = `${base(contract)}&as_of_block=${requested}&limit=${1 + random.int(100)}`
  const walked = await walk<Listed>(client, path)
  if ('cut' in walked) {
    // The block is not covered yet (400), or a reorg removed it during the walk (409).
    if (walked.cut && walked.cut.status !== 400 && walked.cut.status !== 409)
      journal.fault('5 answers', `${path} was answered ${walked.cut.status}: ${walked.cut.text.slice(0, 200)}`)
    return
  }
  if (!contract.standard) return
  const block = blockOf(
    world,
    walked.first.headers['x-as-of-block-hash'],
    `the state of ${contract.kind} at ${requested}`,
  )
  const difference = block && differenceOf(walked.items, trueRecords(contract, chain.ownershipAt(block)))
  journal.count('earlier states')
  if (difference) journal.fault('1 state', `${contract.kind} at block ${requested}: ${difference}`)
}

async function readSnapshot(world: World, contract: WorldContract, random: Random): Promise<void> {
  const { chain, client, journal } = world
  const requested = random.chance(0.5) ? `&as_of_block=${random.int(chain.head().number + 1)}` : ''
  const answer = await client.request(`${base(contract, '/snapshot')}&format=csv${requested}`)
  if (answer?.status !== 200 || !contract.standard) return
  const block = blockOf(world, answer.headers['x-snapshot-block-hash'], `a snapshot of ${contract.kind}`)
  if (!block) return
  const given = answer.text.trim().split('\n').slice(1).sort()
  const expected = trueOwners(contract, chain.ownershipAt(block)).sort()
  journal.count('snapshots')
  const difference = firstDifference(given, expected)
  if (difference) journal.fault('1 state', `the snapshot of ${contract.kind} at ${block.number}: ${difference}`)
}

/** Sends requests that only need a response while things change. Their contents are compared at quiet points. */
async function readAnything({ client }: World, contract: WorldContract, random: Random): Promise<void> {
  const wallet = random.pick(accounts)
  const paths = [
    `${base(contract)}&traits=Colour:Red&limit=5`,
    `${base(contract)}&totalRanges=3&range=${random.int(3)}&disable_total=false`,
    `${base(contract)}&format=hex&normalizeMetadata=true`,
    `${base(contract)}&include=rarity&limit=3`,
    base(contract, '/traits'),
    base(contract, `/${random.int(400)}`),
    base(contract, '/metadata'),
    `/api/v2/${wallet}/nft/collections?chain=local&token_counts=true`,
    `/api/v2/${wallet}/nft/transfers?chain=local`,
    '/api/v2/nft/transfers?chain=local&limit=10',
    '/api/v2/chains',
    '/coins/latest?limit=10',
    '/admin/overview',
    '/admin/collections?chain=local',
    '/metrics',
  ]
  await client.request(random.pick(paths))
}
