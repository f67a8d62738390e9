import { setTimeout as wait } from 'node:timers/promises'
import type { WorldContract } from '../chain/contracts.ts'
import { walk } from '../clients/walk.ts'
import type { World } from '../world.ts'

type Documented = { token_id: string; metadata: string | null }
type Traits = { result: { value: string; count: number }[] }

const colours = ['Red', 'Green', 'Blue', 'Gold']
const colourOf = (id: string) => colours[Number(id) % 4]!

/**
 * Waits until every token has the document that its host gives, and collections have the traits of their documents; a fault where that
 * does not come by itself.
 */
export async function awaitDocuments(world: World, patienceMs: number): Promise<void> {
  const { chain, journal } = world
  const deadline = journal.now() + patienceMs
  for (const contract of chain.contracts.filter(
    ({ standard, deployedAt }) => standard && deployedAt <= chain.finalized(),
  ))
    for (
      let wrong = await wrongDocument(world, contract);
      wrong !== undefined;
      wrong = await wrongDocument(world, contract)
    ) {
      if (journal.now() > deadline) return journal.fault('1 documents', `${contract.kind}: ${wrong}`)
      await wait(200)
    }
}

async function wrongDocument({ client, hosts }: World, contract: WorldContract): Promise<string | undefined> {
  const path = `/api/v2/nft/${contract.address}`
  const walked = await walk<Documented>(client, `${path}?chain=local`)
  if ('cut' in walked) return `its pages end with ${walked.cut?.status}`
  const counts = new Map<string, number>()
  for (const { token_id, metadata } of walked.items) {
    const fate = hosts.fate(new URL(contract.uri(BigInt(token_id))).pathname)
    const expected = fate === 'missing' || fate === 'broken' ? null : `Token ${token_id}`
    const name = metadata === null ? null : (JSON.parse(metadata) as { name: string }).name
    if (name !== expected) return `token ${token_id} has the document ${name} and should have ${expected}`
    if (expected !== null) counts.set(colourOf(token_id), (counts.get(colourOf(token_id)) ?? 0) + 1)
  }
  const answer = await client.ask(`${path}/traits?chain=local`)
  if (answer?.status !== 200) return `its traits were answered ${answer?.status}`
  const given = (JSON.parse(answer.text) as Traits).result.map(({ value, count }) => `${value} ${count}`)
  const expected = [...counts].map(([value, count]) => `${value} ${count}`)
  return given.sort().join() === expected.sort().join()
    ? undefined
    : `its traits are ${given} and should be ${expected}`
}
