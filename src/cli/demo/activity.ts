import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describeError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import type { DemoClient, DemoCollections } from './collections.ts'
import { demo721 } from './contracts/demo721.artifact.ts'
import { demo1155 } from './contracts/demo1155.artifact.ts'
import { horizonCount, moonCount, tileCount } from './tokenCounts.ts'

export type Activity = { stop(): Promise<void> }

export type ActivityOptions = {
  client: DemoClient
  accounts: readonly Address[]
  collections: DemoCollections
  log: Log
  intervalMs: number
}

const gas = 1_000_000n

/** Initial blocks, which make the first mints final before the first request. */
const firstBlocks = 20n

/**
 * Mints a block every `intervalMs`, with a new tile and some transfers of each collection. Resolves once the first
 * blocks exist; ends when the chain stops.
 */
export async function startActivity(options: ActivityOptions): Promise<Activity> {
  const { client, log, intervalMs } = options
  const ended = new AbortController()
  // From now on each block has the transactions since the last one, including those of visitors.
  await client.setAutomine(false)
  let next = tileCount
  while (next < tileCount + firstBlocks) await mineBlock(options, next++)

  const run = async () => {
    for (;;) {
      await delay(intervalMs, undefined, { signal: ended.signal })
      await mineBlock(options, next++)
    }
  }
  const done = run().catch((error) => {
    if (!ended.signal.aborted) log.error({ error: describeError(error) }, 'demo chain stalled')
  })
  return {
    stop: async () => {
      ended.abort()
      await done
    },
  }
}

async function mineBlock(options: ActivityOptions, next: bigint): Promise<void> {
  await submitBlock(options, next)
  await options.client.mine({ blocks: 1 })
}

async function submitBlock(options: ActivityOptions, next: bigint): Promise<void> {
  const { client, accounts, collections } = options
  const tiles = { address: collections.erc721, abi: demo721.abi, chain: null, gas } as const
  const anyone = () => accounts[randomInt(accounts.length)]!
  await client.writeContract({
    ...tiles,
    account: accounts[0]!,
    functionName: 'mintBatch',
    args: [[anyone()], next, 1n],
  })
  const move = async (address: Address, id: bigint) => {
    const token = { ...tiles, address } as const
    const account = await client.readContract({ ...token, functionName: 'ownerOf', args: [id] })
    await client.writeContract({ ...token, account, functionName: 'transferFrom', args: [account, anyone(), id] })
  }
  const moved = new Set(Array.from({ length: 3 }, () => BigInt(randomInt(Number(next)))))
  for (const id of moved) await move(collections.erc721, id)
  await move(collections.horizons, BigInt(randomInt(Number(horizonCount))))
  const account = anyone()
  const id = BigInt(randomInt(Number(moonCount)))
  const moons = { address: collections.erc1155, abi: demo1155.abi, chain: null, gas } as const
  const held = await client.readContract({ ...moons, functionName: 'balanceOf', args: [account, id] })
  if (held > 0n)
    await client.writeContract({
      ...moons,
      account,
      functionName: 'safeTransferFrom',
      args: [account, anyone(), id, 1n, '0x'],
    })
}
