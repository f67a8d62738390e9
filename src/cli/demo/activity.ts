import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { describeError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Address } from '../../util/hex.ts'
import type { DemoClient } from './client.ts'
import { itemCount, tileCount } from './collections.ts'
import { demo721 } from './contracts/demo721.artifact.ts'
import { demo1155 } from './contracts/demo1155.artifact.ts'

export type Activity = { stop(): Promise<void> }

export type ActivityOptions = {
  client: DemoClient
  accounts: readonly Address[]
  collections: { erc721: Address; erc1155: Address }
  log: Log
  intervalMs: number
}

const gas = 1_000_000n

/** One block every `intervalMs`: a new tile, some tiles and items that change hands. Ends when the chain is gone. */
export function startActivity(options: ActivityOptions): Activity {
  const ended = new AbortController()
  const done = run(options, ended.signal).catch((error) => {
    if (!ended.signal.aborted) options.log.error({ error: describeError(error) }, 'demo chain stands still')
  })
  return {
    stop: async () => {
      ended.abort()
      await done
    },
  }
}

async function run(options: ActivityOptions, signal: AbortSignal): Promise<void> {
  const { client, log, intervalMs } = options
  // From here on a block holds what came since the one before, also what a visitor of the demo sends.
  await client.setAutomine(false)
  for (let next = tileCount; ; next++) {
    await submitBlock(options, next)
    await client.mine({ blocks: 1 })
    log.debug({ tile: String(next) }, 'demo block')
    await delay(intervalMs, undefined, { signal })
  }
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
  const moved = new Set(Array.from({ length: 3 }, () => BigInt(randomInt(Number(next)))))
  for (const id of moved) {
    const account = await client.readContract({ ...tiles, functionName: 'ownerOf', args: [id] })
    await client.writeContract({ ...tiles, account, functionName: 'transferFrom', args: [account, anyone(), id] })
  }
  const account = anyone()
  const id = BigInt(randomInt(Number(itemCount)))
  const items = { address: collections.erc1155, abi: demo1155.abi, chain: null, gas } as const
  const held = await client.readContract({ ...items, functionName: 'balanceOf', args: [account, id] })
  if (held > 0n)
    await client.writeContract({
      ...items,
      account,
      functionName: 'safeTransferFrom',
      args: [account, anyone(), id, 1n, '0x'],
    })
}
