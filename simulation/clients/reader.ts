import type { Random } from '../../test/random.ts'
import type { WorldContract } from '../chain/contracts.ts'
import { accounts } from '../chain/drawActivity.ts'
import type { WorldBlock } from '../chain/worldChain.ts'
import {
  differenceOf,
  type Listed,
  type ListedTransfer,
  transferLine,
  trueOwners,
  trueRecords,
  trueTransfers,
} from '../invariants/pages.ts'
import type { World } from '../world.ts'
import { walk } from './walk.ts'

/**
 * A client that pages and filters as it likes while everything happens. What it is told at any moment has to be true of one block
 * of one fork there ever was: the block that the answer names.
 */
export async function readOnce(world: World, random: Random): Promise<void> {
  const { chain } = world
  const contract = random.pick(chain.contracts.filter(({ deployedAt }) => deployedAt <= chain.finalized()))
  const kind = random.int(8)
  if (kind < 2) return readHead(world, contract)
  if (kind < 4) return readState(world, contract, random)
  if (kind === 4) return readTransfers(world, contract)
  if (kind === 5) return readSnapshot(world, contract, random)
  await readAnything(world, contract, random)
}

const base = (contract: WorldContract, rest = '') => `/api/v2/nft/${contract.address}${rest}?chain=local`

/** The first page of a collection at the head: all of it is of one block. */
async function readHead({ chain, client, journal }: World, contract: WorldContract): Promise<void> {
  const answer = await client.ask(`${base(contract)}&limit=100`)
  if (answer?.status !== 200) return
  const body = JSON.parse(answer.text) as { status: string; result: Listed[] }
  const to = answer.headers['x-index-to-block']
  if (body.status !== 'SYNCED' || to === undefined) return
  const candidates = chain.candidates(Number(to))
  const differences = candidates.map((block) => {
    const expected = contract.standard ? trueRecords(contract, chain.ownershipAt(block)).slice(0, 100) : []
    return differenceOf(body.result, expected)
  })
  if (differences.every((difference) => difference !== undefined))
    journal.fault(
      '5 mixed',
      `a page of ${contract.kind} is of no block ${to} there ever was: ${differences.at(-1) ?? 'no such block'}`,
    )
}

/** The block that an answer names by its hash; undefined where the chain never had it. */
function blockOf({ chain, journal }: World, hash: string | undefined, of: string): WorldBlock | undefined {
  const block = hash === undefined ? undefined : chain.byHash(hash)
  if (!block) journal.fault('2 coverage', `${of} names block ${hash}, which no node ever had`)
  return block
}

/** The whole list as it was at the end of a block. */
async function readState(world: World, contract: WorldContract, random: Random): Promise<void> {
  const { chain, client, journal } = world
  const asked = random.int(chain.head().number + 1)
  const path = `${base(contract)}&as_of_block=${asked}&limit=${1 + random.int(100)}`
  const walked = await walk<Listed>(client, path)
  // Not covered yet (400), or taken away within the walk (409): nothing was claimed.
  if ('cut' in walked || !contract.standard) return
  const block = blockOf(world, walked.first.headers['x-as-of-block-hash'], `the state of ${contract.kind} at ${asked}`)
  const difference = block && differenceOf(walked.items, trueRecords(contract, chain.ownershipAt(block)))
  if (difference) journal.fault('1 state', `${contract.kind} at block ${asked}: ${difference}`)
}

async function readTransfers({ chain, client, journal }: World, contract: WorldContract): Promise<void> {
  const answer = await client.ask(`${base(contract, '/transfers')}&limit=100`)
  if (answer?.status !== 200) return
  const body = JSON.parse(answer.text) as { result: ListedTransfer[] }
  const to = answer.headers['x-index-to-block']
  if (answer.headers['x-index-status'] !== 'synced' || to === undefined) return
  const given = body.result.map(transferLine)
  const holds = chain.candidates(Number(to)).some((block) => {
    const expected = contract.standard ? trueTransfers(chain, contract, block).reverse().slice(0, 100) : []
    return expected.join('\n') === given.join('\n')
  })
  if (!holds)
    journal.fault('5 mixed', `transfers of ${contract.kind} are of no block ${to}: ${given.slice(0, 3).join('; ')}`)
}

async function readSnapshot(world: World, contract: WorldContract, random: Random): Promise<void> {
  const { chain, client, journal } = world
  const asked = random.chance(0.5) ? `&as_of_block=${random.int(chain.head().number + 1)}` : ''
  const answer = await client.ask(`${base(contract, '/snapshot')}&format=csv${asked}`)
  if (answer?.status !== 200 || !contract.standard) return
  const block = blockOf(world, answer.headers['x-snapshot-block-hash'], `a snapshot of ${contract.kind}`)
  if (!block) return
  const given = answer.text.trim().split('\n').slice(1).sort()
  const expected = trueOwners(contract, chain.ownershipAt(block))
  if (given.join('\n') !== expected.join('\n'))
    journal.fault(
      '1 state',
      `the snapshot of ${contract.kind} at ${block.number} has ${given.length} rows and should have ${expected.length}`,
    )
}

/** Requests that only have to be answered while things move; what they say is compared when it is quiet. */
async function readAnything({ client }: World, contract: WorldContract, random: Random): Promise<void> {
  const wallet = random.pick(accounts)
  const paths = [
    `${base(contract)}&traits=Colour:Red&limit=5`,
    `${base(contract)}&totalRanges=3&range=${random.int(3)}&disable_total=false`,
    `${base(contract)}&format=hex&normalizeMetadata=true`,
    `${base(contract)}&include=rarity&limit=3`,
    base(contract, '/owners'),
    base(contract, '/stats'),
    base(contract, '/traits'),
    base(contract, `/${random.int(400)}`),
    base(contract, '/metadata'),
    `/api/v2/${wallet}/nft?chain=local`,
    `/api/v2/${wallet}/nft/collections?chain=local&token_counts=true`,
    `/api/v2/${wallet}/nft/transfers?chain=local`,
    '/api/v2/nft/transfers?chain=local&limit=10',
    '/api/v2/chains',
    '/coins/latest?limit=10',
    '/admin/overview',
    '/admin/collections?chain=local',
    '/metrics',
  ]
  await client.ask(random.pick(paths))
}
