import { Alchemy, Network } from 'alchemy-sdk'
import { expect, vi } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { startTestServer, type TestServer, testApiKey } from '../mintmark.ts'
import { patience } from '../patience.ts'
import { createRandom } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { readBalances, readHead, readTruth } from '../truth.ts'
import { type Collections, deployCollections, untilDocumented } from './collections.ts'

/** A holding as recorded on chain. */
export type TrueHolding = { holder: Address; tokenId: string; amount: bigint }

/** The published client, connected to a server that follows a real chain. */
export type StartedAlchemy = {
  anvil: Anvil
  server: TestServer
  alchemy: Alchemy
  nft: Alchemy['nft']
  collections: Collections
  /** Contracts with random activity: an ERC-721 and an ERC-1155. */
  plain: Address
  erc1155: Address
  /** All contracts. */
  all: Address[]
  /** The holders of each token and their amounts, as the contract reports them. */
  trueHoldings(address: Address, block?: bigint): Promise<TrueHolding[]>
  /** Timestamp of a block. */
  timeOf(block: bigint): Promise<string>
  stop(): Promise<void>
}

export const byId = (a: string, b: string) => (BigInt(a) < BigInt(b) ? -1 : 1)

export async function startAlchemy(): Promise<StartedAlchemy> {
  const anvil = await startAnvil()
  const collections = await deployCollections(anvil)
  const plain = await anvil.deploy(plain721, ['Plain', 'PLN', 'data:application/json,{}?'])
  const plain1155Address = await anvil.deploy(plain1155, ['Pieces', 'PCS'])
  await randomActivity(anvil, { erc721: [plain], erc1155: [plain1155Address] }, createRandom(41), 30)
  const server = await startTestServer({ rpc: [anvil.url] })
  const documented = [collections.tiles, collections.items, collections.broken]
  for (const address of documented) await untilDocumented(server, address)
  for (const address of [plain, plain1155Address]) await server.untilSynced(address)
  const alchemy = new Alchemy({
    apiKey: testApiKey,
    network: Network.ETH_MAINNET,
    maxRetries: 0,
    url: `${server.url}/alchemy/local/nft/v3/${testApiKey}`,
  })
  // The wallets' tables lag behind the collections.
  await vi.waitFor(async () => {
    const response = await server.get(`/api/v2/${anvil.accounts[0]}/nft?chain=local&limit=1`)
    expect(await response.json()).toMatchObject({ status: 'SYNCED' })
  }, patience)
  return {
    ...{
      anvil,
      server,
      alchemy,
      nft: alchemy.nft,
      collections,
      plain,
      erc1155: plain1155Address,
      all: [...documented, plain, plain1155Address],
    },
    async trueHoldings(address, block) {
      const at = block ?? (await readHead(anvil.url))
      if (address === collections.items || address === plain1155Address)
        return (await readBalances(anvil.url, address, at)).map((one) => ({ ...one, tokenId: String(one.tokenId) }))
      const records = await readTruth(anvil.url, address, at)
      return records.map(({ token_id, owner_of }) => ({ holder: owner_of!, tokenId: token_id, amount: 1n }))
    },
    async timeOf(block) {
      const requested = [`0x${block.toString(16)}`, false]
      const { timestamp } = await anvil.rpc<{ timestamp: string }>('eth_getBlockByNumber', requested)
      return new Date(Number(timestamp) * 1_000).toISOString()
    },
    async stop() {
      await server.close()
      await anvil.stop()
    },
  }
}
