import { setTimeout as wait } from 'node:timers/promises'
import type { WorldContract } from '../chain/contracts.ts'
import { walk } from '../clients/walk.ts'
import type { World } from '../world.ts'

type Documented = {
  token_id: string
  token_uri: string | null
  metadata: string | null
  name: string | null
  symbol: string | null
}
type Ranked = { token_id: string; rarity_rank: number | null; rarity_percentage: number | null }
type Traits = { result: { value: string; count: number }[] }

const colours = ['Red', 'Green', 'Blue', 'Gold']
const colourOf = (id: string) => colours[Number(id) % 4]!

/**
 * Waits until every token has its host's metadata and its contract's names, and every collection the traits of its metadata. Reports an
 * error after `patienceMs`.
 */
export async function awaitMetadata(world: World, patienceMs: number): Promise<void> {
  await awaitEach(world, patienceMs, wrongMetadata)
}

/**
 * Waits until tokens have the rarity ranks of their metadata. The service ranks a collection at most once a minute, so call this once, at
 * the end.
 */
export async function awaitRanks(world: World, patienceMs: number, limit = 100): Promise<void> {
  // The service ranks all of them within the same minute, because all are requested first.
  for (const { address } of documented(world)) await world.client.request(ranksOf(address, limit))
  await awaitEach(world, patienceMs, (_, contract) => wrongRank(world, contract, limit))
}

const documented = ({ chain }: World) =>
  chain.contracts.filter(({ standard, deployedAt }) => standard && deployedAt <= chain.finalized())

const ranksOf = (address: string, limit: number) => `/api/v2/nft/${address}?chain=local&include=rarity&limit=${limit}`

async function awaitEach(
  world: World,
  patienceMs: number,
  wrongOf: (world: World, contract: WorldContract) => Promise<string | undefined>,
): Promise<void> {
  const { journal } = world
  const deadline = journal.now() + patienceMs
  for (const contract of documented(world))
    for (let wrong = await wrongOf(world, contract); wrong !== undefined; wrong = await wrongOf(world, contract)) {
      if (journal.now() > deadline) return journal.fault('1 documents', `${contract.kind}: ${wrong}`)
      await wait(200)
    }
}

/** Each token's metadata has one trait, its colour. Rarer colours have better ranks, and tokens of the same colour share a rank. */
async function wrongRank(world: World, { address, uri }: WorldContract, limit: number): Promise<string | undefined> {
  const walked = await walk<Ranked>(world.client, ranksOf(address, limit))
  if ('cut' in walked) return `its pages with ranks end with ${walked.cut?.status}`
  const hasMetadata = ({ token_id }: Ranked) =>
    !['missing', 'broken'].includes(world.hosts.fate(new URL(uri(BigInt(token_id))).pathname))
  const tokens = Map.groupBy(walked.items.filter(hasMetadata), ({ token_id }) => colourOf(token_id))
  const all = walked.items.filter(hasMetadata).length
  for (const token of walked.items) {
    const own = tokens.get(colourOf(token.token_id))?.length ?? 0
    const rarer = [...tokens.values()].reduce((sum, { length }) => sum + (length < own ? length : 0), 0)
    const [rank, percentage] = hasMetadata(token)
      ? [rarer + 1, Math.round(((rarer + 1) / all) * 1e8) / 1e6]
      : [null, null]
    if (token.rarity_rank !== rank || token.rarity_percentage !== percentage)
      return `token ${token.token_id} has rank ${token.rarity_rank} (${token.rarity_percentage} %) and should have ${rank} (${percentage} %)`
  }
  const ranked = walked.first.headers['x-rarity-documents']
  if (ranked !== String(all)) return `${ranked} documents are ranked, of ${all}`
  world.journal.count('collections with ranks')
  return undefined
}

/** A name as pages show it: without NUL, as PostgreSQL cannot store it. */
const reported = (text: string | null) => text?.replaceAll('\0', '') ?? null

async function wrongMetadata({ client, hosts }: World, contract: WorldContract): Promise<string | undefined> {
  const path = `/api/v2/nft/${contract.address}`
  const walked = await walk<Documented>(client, `${path}?chain=local`)
  if ('cut' in walked) return `its pages end with ${walked.cut?.status}`
  const counts = new Map<string, number>()
  const red: string[] = []
  const names = JSON.stringify([reported(contract.name), reported(contract.symbol)])
  for (const { token_id, token_uri, metadata, name: ofContract, symbol } of walked.items) {
    const given = JSON.stringify([ofContract, symbol])
    if (given !== names) return `token ${token_id} has the name and symbol ${given} and should have ${names}`
    const uri = contract.uri(BigInt(token_id))
    if (token_uri !== uri) return `token ${token_id} has the URI ${token_uri} and should have ${uri}`
    const fate = hosts.fate(new URL(uri).pathname)
    const expected = fate === 'missing' || fate === 'broken' ? null : `Token ${token_id}`
    const name = metadata === null ? null : (JSON.parse(metadata) as { name: string }).name
    if (name !== expected) return `token ${token_id} has the document ${name} and should have ${expected}`
    if (expected !== null && colourOf(token_id) === 'Red') red.push(token_id)
    if (expected !== null) counts.set(colourOf(token_id), (counts.get(colourOf(token_id)) ?? 0) + 1)
  }
  const answer = await client.request(`${path}/traits?chain=local`)
  if (answer?.status !== 200) return `its traits were answered ${answer?.status}`
  const given = (JSON.parse(answer.text) as Traits).result.map(({ value, count }) => `${value} ${count}`)
  const expected = [...counts].map(([value, count]) => `${value} ${count}`)
  if (given.sort().join() !== expected.sort().join()) return `its traits are ${given} and should be ${expected}`
  const filtered = await walk<Documented>(client, `${path}?chain=local&traits=Colour:Red&limit=7`)
  const found = 'cut' in filtered ? ['not answered'] : filtered.items.map(({ token_id }) => token_id)
  return found.join() === red.join() ? undefined : `its red tokens are ${found} and should be ${red}`
}
