import {
  createTestClient,
  type Hex,
  http,
  publicActions,
  type TransactionReceipt,
  WaitForTransactionReceiptTimeoutError,
  walletActions,
} from 'viem'
import type { Address } from '../../util/hex.ts'
import { demo721 } from './contracts/demo721.artifact.ts'
import { demo1155 } from './contracts/demo1155.artifact.ts'
import { demoHorizons } from './contracts/demoHorizons.artifact.ts'
import { horizonCount, moonCount, tileCount } from './tokenCounts.ts'

export type DemoClient = ReturnType<typeof connectDemoChain>

/** Client of the demo's chain, whose accounts are all unlocked. */
export function connectDemoChain(rpcUrl: string) {
  return createTestClient({ mode: 'anvil', transport: http(rpcUrl), pollingInterval: 10, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}

export type DemoCollections = {
  /** 10,000 tiles. */
  erc721: Address
  /** 100 ids of moons. */
  erc1155: Address
  /** 500 views. */
  horizons: Address
}

/** Tokens minted in one transaction: 14,000,000 gas. */
const batch = 500n
const gas = 60_000_000n

/** Deploys the collections and mints their tokens; all accounts get tiles and horizons in rotation. */
export async function deployCollections(options: {
  client: DemoClient
  accounts: readonly Address[]
}): Promise<DemoCollections> {
  const { client, accounts } = options
  const account = accounts[0]!
  const base = { account, chain: null, gas } as const
  const deployed = async (hash: Hex) => {
    const { contractAddress } = await receiptOf(client, hash)
    return contractAddress!.toLowerCase() as Address
  }
  const erc721 = await deployed(await client.deployContract({ ...base, ...demo721 }))
  const erc1155 = await deployed(await client.deployContract({ ...base, ...demo1155 }))

  const horizons = await deployed(await client.deployContract({ ...base, ...demoHorizons }))

  const hashes: Hex[] = []
  const mintBatch = async (address: Address, first: bigint) =>
    hashes.push(
      await client.writeContract({
        ...base,
        address,
        abi: demo721.abi,
        functionName: 'mintBatch',
        args: [accounts, first, batch],
      }),
    )
  for (let first = 0n; first < tileCount; first += batch) await mintBatch(erc721, first)
  for (let first = 0n; first < horizonCount; first += batch) await mintBatch(horizons, first)
  for (const [n, to] of accounts.entries())
    hashes.push(
      await client.writeContract({
        ...base,
        address: erc1155,
        abi: demo1155.abi,
        functionName: 'mintRange',
        // Overlapping thirds, so that most ids have several holders.
        args: [to, BigInt(n) * 8n, moonCount - 72n, BigInt(n + 1)],
      }),
    )
  for (const hash of hashes) await receiptOf(client, hash)
  return { erc721, erc1155, horizons }
}

/** Waits for a receipt. Anvil can leave a transaction in its pool, so a block is mined after a while. */
async function receiptOf(client: DemoClient, hash: Hex): Promise<TransactionReceipt> {
  try {
    return await client.waitForTransactionReceipt({ hash, timeout: 5_000 })
  } catch (error) {
    if (!(error instanceof WaitForTransactionReceiptTimeoutError)) throw error
    await client.mine({ blocks: 1 })
    return client.waitForTransactionReceipt({ hash })
  }
}
