import type { Random } from '../../test/random.ts'
import type { WorldContract } from '../chain/contracts.ts'
import { amountOf, type Ownership } from '../chain/ownership.ts'
import { walk } from '../clients/walk.ts'
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
  trueTransfers,
} from './pages.ts'

/** Number of tokens of a collection that are checked one by one. */
const looked = 3

/**
 * Checks requests for single tokens: record, owners, transfers and counters, and several tokens by their ids. They use other statements
 * than whole collections. Returns the first difference as text.
 */
export async function differenceOfTokens(
  world: World,
  contract: WorldContract,
  now: Ownership,
  random: Random,
): Promise<string | undefined> {
  const listed = trueRecords(contract, now)
  if (listed.length === 0) return undefined
  const requested = [...new Set(Array.from({ length: looked }, () => random.pick(listed)))]
  for (const record of requested) {
    const difference = await differenceOfToken(world, contract, record, now)
    if (difference) return `of token ${record.token_id} ${difference}`
  }
  const tokens = requested.map(({ token_address, token_id }) => ({ token_address, token_id }))
  const path = '/api/v2/nft/getMultipleNFTs?chain=local'
  const answer = await world.client.request(path, { method: 'POST', body: { tokens } })
  if (answer?.status !== 200) return `${looked} tokens by name were answered ${answer?.status}`
  const difference = differenceOf(JSON.parse(answer.text) as Listed[], requested)
  world.journal.count('tokens one by one')
  return difference && `among tokens by name ${difference}`
}

async function differenceOfToken(
  { chain, client }: World,
  contract: WorldContract,
  record: Listed,
  now: Ownership,
): Promise<string | undefined> {
  const id = record.token_id!
  const path = (rest = '') => `/api/v2/nft/${contract.address}/${id}${rest}?chain=local`
  const [one, stats] = [await client.request(path()), await client.request(path('/stats'))]
  if (one?.status !== 200 || stats?.status !== 200) return `there are answers ${one?.status} and ${stats?.status}`
  const owners = await walk<Listed>(client, `${path('/owners')}&limit=3`)
  const transfers = await walk<ListedTransfer>(client, `${path('/transfers')}&order=ASC&limit=3`)
  if ('cut' in owners || 'cut' in transfers) return 'a list is not answered'
  const blocks = chain.blocks.map((block) => ({
    ...block,
    moves: block.moves.filter(({ tokenId }) => String(tokenId) === id),
  }))
  const token = now.get(contract.address)!.get(BigInt(id))!
  const counters = {
    total_tokens: String(amountOf(token)),
    owners: { current: String(token.holders.size) },
    transfers: { total: String(token.transfers) },
  }
  const holding = trueOwners(contract, now).filter((line) => line.startsWith(`${id},`))
  return (
    differenceOf([JSON.parse(one.text) as Listed], [record]) ??
    firstDifference(owners.items.map(ownerLine), holding) ??
    firstDifference(transfers.items.map(transferLine), trueTransfers(blocks, [contract])) ??
    firstDifference([stats.text], [JSON.stringify(counters)])
  )
}

/** Checks the transfers of a collection between two random blocks, and of one block by its number and by its hash. */
export async function differenceOfBlocks(
  { chain, client, journal }: World,
  contract: WorldContract,
  contracts: readonly WorldContract[],
  random: Random,
): Promise<string | undefined> {
  const from = random.int(chain.blocks.length)
  const to = from + random.int(chain.blocks.length - from)
  const { number, hash } = random.pick(chain.blocks)
  const between = trueTransfers(chain.blocks.slice(from, to + 1), [contract])
  const within = trueTransfers([chain.blocks[number]!], contracts)
  const lists: [path: string, expected: string[]][] = [
    [`/api/v2/nft/${contract.address}/transfers?chain=local&order=ASC&from_block=${from}&to_block=${to}`, between],
    [
      `/api/v2/nft/${contract.address}/transfers?chain=local&from_block=${from}&to_block=${to}&limit=7`,
      between.toReversed(),
    ],
    [`/api/v2/block/${number}/nft/transfers?chain=local&order=ASC&limit=5`, within],
    [`/api/v2/block/${hash}/nft/transfers?chain=local&order=ASC`, within],
  ]
  for (const [path, expected] of lists) {
    const walked = await walk<ListedTransfer>(client, path)
    if ('cut' in walked) return `${path} was answered ${walked.cut?.status}`
    const difference = firstDifference(walked.items.map(transferLine), expected)
    if (difference) return `of ${path} ${difference}`
  }
  journal.count('transfers between blocks')
  return undefined
}
