import { setTimeout as wait } from 'node:timers/promises'
import type { Address } from '../src/util/hex.ts'
import { type Anvil, startAnvil } from '../test/anvil.ts'
import { plain721 } from '../test/contracts/artifacts/plain721.ts'
import { type BlockReceiver, createBlockStream, startBlockReceiver } from './blockWebhooks.ts'
import { type Figure, median, medians, p99 } from './figure.ts'
import { benchChain, startMeasuredService } from './measuredService.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

const blocks = 300
const pollIntervalMs = 50

/** Measures the time from a block at a real node until the receiver has its webhook. It includes the database and the ledger. */
export const latency: Figure = {
  name: 'latency',
  title: `From a block at the node, polled every ${pollIntervalMs} ms, to its webhook at the receiver`,
  async run() {
    const anvil = await startAnvil({ slotsInAnEpoch: 4 })
    const contract = await anvil.deploy(plain721, ['Timed', 'TMD', ''])
    const postgres = await startTemporaryPostgres()
    const service = await startMeasuredService({
      databaseUrl: postgres.url,
      config: {
        outbound: { allow: ['127.0.0.1'] },
        chains: { [benchChain.name]: { id: benchChain.id, rpc: [anvil.url], pollIntervalMs } },
      },
    })
    const receiver = await startBlockReceiver()
    await createBlockStream(service.url, receiver.url, contract)
    await anvil.setAutomine(false)
    let next = 0n
    const measure = async (count: number) => {
      const taken: number[] = []
      for (let i = 0; i < count; i++) taken.push(await mintAndReceive(anvil, contract, next++, receiver))
      return taken.toSorted((a, b) => a - b)
    }
    await measure(20)
    const rows = await medians(3, async () => {
      const taken = await measure(blocks / 3)
      return [
        { what: 'median', value: median(taken), unit: 'ms' },
        { what: 'p99', value: p99(taken), unit: 'ms', goal: { atMost: 150 } },
      ]
    })
    await service.stop()
    receiver.close()
    await postgres.stop()
    await anvil.stop()
    return rows
  },
}

/** Returns the milliseconds since the request that mines the block. They include the node's own time. */
async function mintAndReceive(anvil: Anvil, to: Address, tokenId: bigint, receiver: BlockReceiver): Promise<number> {
  const [holder] = anvil.accounts as [Address]
  await anvil.submit({ to, abi: plain721.abi, functionName: 'mint', args: [holder, tokenId] })
  // The service polls the node, so the block comes at a random moment between two polls.
  await wait(60 + Math.random() * 100)
  const madeAt = performance.now()
  await anvil.mine()
  return (await receiver.unconfirmed(await anvil.blockNumber())) - madeAt
}
