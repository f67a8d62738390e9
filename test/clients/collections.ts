import { demo721 } from '../../src/cli/demo/contracts/demo721.artifact.ts'
import { demo1155 } from '../../src/cli/demo/contracts/demo1155.artifact.ts'
import type { Address } from '../../src/util/hex.ts'
import type { Anvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import type { TestServer } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'

export type Collections = {
  /** 236 tokens, held by the first three accounts in turn, with metadata and images in data: URIs. */
  tiles: Address
  /** Ids 0 to 9, seven units of each. Two accounts hold ids 0 to 4 (3 and 4 units); the first account holds the others alone. */
  items: Address
  /** Two tokens with invalid metadata. */
  broken: Address
}

/** Deploys and fills contracts whose token data is entirely on chain. */
export async function deployCollections(anvil: Anvil): Promise<Collections> {
  const [a, b, c] = anvil.accounts as [Address, Address, Address]
  const tiles = await anvil.deploy(demo721, [])
  await anvil.send({ to: tiles, abi: demo721.abi, functionName: 'mintBatch', args: [[a, b, c], 0n, 236n] })
  const items = await anvil.deploy(demo1155, [])
  const mint = (to: Address, first: bigint, count: bigint, amount: bigint) =>
    anvil.send({ to: items, abi: demo1155.abi, functionName: 'mintRange', args: [to, first, count, amount] })
  await mint(a, 0n, 5n, 3n)
  await mint(b, 0n, 5n, 4n)
  await mint(a, 5n, 5n, 7n)
  const broken = await anvil.deploy(plain721, ['Broken', 'BRK', 'data:text/plain,no document '])
  await anvil.send({ to: broken, abi: plain721.abi, functionName: 'mintBatch', args: [a, 0n, 2n] })
  return { tiles, items, broken }
}

/** Polls until the metadata of all tokens of a collection is read. */
export async function untilDocumented(server: TestServer, address: Address): Promise<void> {
  await server.untilSynced(address)
  const deadline = performance.now() + patienceMs
  for (;;) {
    const { headers } = await server.page(address, { limit: 1 })
    if (headers.get('x-index-metadata-progress') === '1') return
    if (performance.now() > deadline) throw new Error(`documents: ${headers.get('x-index-metadata-progress')}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

export async function collect<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of iterable) items.push(item)
  return items
}
