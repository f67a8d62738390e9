import { zeroAddress } from '../../src/util/hex.ts'
import type { Random } from '../../test/random.ts'
import type { WorldContract } from '../chain/contracts.ts'
import { accounts } from '../chain/drawActivity.ts'
import { finalityDepth } from '../chain/worldChain.ts'
import { type Listed, trueRecords } from '../invariants/pages.ts'
import type { World } from '../world.ts'
import { walk } from './walk.ts'

/**
 * Walks through a whole collection at the head while it changes. The walk must be in order and give each token once. It must not miss a
 * token that existed before and was burned on no fork since.
 */
export async function walkCollection(world: World, contract: WorldContract, random: Random): Promise<void> {
  const { chain, client, journal } = world
  const path = `/api/v2/nft/${contract.address}?chain=local&limit=${5 + random.int(60)}`
  const walked = await walk<Listed>(client, path)
  if ('cut' in walked || walked.first.headers['x-index-status'] !== 'synced') return
  const hashes = walked.items.map(({ token_hash }) => token_hash!)
  const place = hashes.findIndex((hash, i) => i > 0 && hashes[i - 1]! <= hash)
  if (place > 0)
    journal.fault('4 paging', `a walk through ${contract.kind} gave ${hashes[place]} after ${hashes[place - 1]}`)
  journal.count('walks through moving collections')
  if (!contract.standard) return
  // Final blocks are the same on every fork, so their tokens are certain.
  const final = Math.max(0, Number(walked.first.headers['x-index-to-block'] ?? 0) - finalityDepth)
  const burned = new Set<string>()
  for (let number = final + 1; number <= chain.newest(); number++)
    for (const { moves } of chain.candidates(number))
      for (const { contract: address, to, tokenId } of moves)
        if (address === contract.address && to === zeroAddress) burned.add(String(tokenId))
  const given = new Set(hashes)
  const missed = trueRecords(contract, chain.ownershipAt(chain.blocks[final]!)).find(
    ({ token_id, token_hash }) => !burned.has(token_id!) && !given.has(token_hash!),
  )
  if (missed) journal.fault('4 paging', `a walk through ${contract.kind} omitted token ${missed.token_id}`)
}

/** Walks through the tokens of a wallet while they change. It must give each token once. */
export async function walkWallet({ client, journal }: World, random: Random): Promise<void> {
  const wallet = random.pick(accounts)
  const walked = await walk<Listed>(client, `/api/v2/${wallet}/nft?chain=local&limit=${3 + random.int(40)}`)
  if ('cut' in walked) return
  journal.count('walks through moving wallets')
  const seen = new Set<string>()
  for (const { token_address, token_id } of walked.items) {
    const key = `${token_address} ${token_id}`
    if (seen.has(key)) return journal.fault('4 paging', `a walk through ${wallet} gave ${key} twice`)
    seen.add(key)
  }
}

/** Walks through the webhooks of a stream while more arrive. It must give each once and miss none that had arrived before. */
export async function walkLedger({ client, journal, receivers, streams }: World, random: Random): Promise<void> {
  if (streams.length === 0) return
  const { id, tag, path } = random.pick(streams)
  const before = [...receivers.inbox(path).order]
  const walked = await walk<{ id: string }>(
    client,
    `/history?streamId=${id}&excludePayload=true&limit=${5 + random.int(90)}`,
  )
  if ('cut' in walked) return
  journal.count('walks through growing ledgers')
  const seen = new Set(walked.items.map((item) => item.id))
  if (seen.size < walked.items.length) journal.fault('4 paging', `a walk through the webhooks of ${tag} gave one twice`)
  const missed = before.find((one) => !seen.has(one))
  if (missed !== undefined) journal.fault('4 paging', `a walk through the webhooks of ${tag} omitted ${missed}`)
}
