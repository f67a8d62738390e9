import type { ConfigInput } from '../../src/config/config.ts'
import { createAptosChain } from '../../test/aptos/aptosChain.ts'
import { type CoinTruth, makeCoins } from '../../test/aptos/coinActivity.ts'
import type { NodeFault, NodeFaults } from '../../test/aptos/nodeFaults.ts'
import { serveFullnode } from '../../test/aptos/serveFullnode.ts'
import { serveStream } from '../../test/aptos/serveStream.ts'
import { createRandom } from '../../test/random.ts'

/** A network of coins with an indexer's stream and a fullnode, which fail at times. */
export type Aptos = {
  source: NonNullable<ConfigInput['aptos']>[string]
  /** The first write of each coin, which the service must list. */
  truth: CoinTruth
  head(): bigint
  /** Adds transactions. */
  add(count: number): void
  stutter(isBad: boolean): void
  close(): Promise<void>
}

const usual: NodeFaults['shares'] = { cut: 0.01, rateLimit: 0.01 }
const stuttering: NodeFaults['shares'] = {
  ...{ cut: 0.1, half: 0.1, silence: 0.1, duplicate: 0.1, gap: 0.1, rateLimit: 0.1 },
  ...{ unavailable: 0.1, early: 0.1, nonsense: 0.05 },
}

export async function startAptos(seed: number): Promise<Aptos> {
  const chain = createAptosChain({ chainId: 1 })
  const truth: CoinTruth = new Map()
  const activity = createRandom(seed + 5)
  makeCoins(chain, truth, activity, 600)
  const faults: NodeFaults = { shares: usual, random: createRandom(seed + 6), counts: new Map<NodeFault, number>() }
  const stream = await serveStream({ chain, faults, pastHead: 'refuse' })
  const fullnode = await serveFullnode({ chain, faults })
  return {
    source: { grpc: stream.address, rest: fullnode.url, pollIntervalMs: 100, silenceMs: 500, rangeWidth: 100 },
    truth,
    head: chain.head,
    add: (count) => makeCoins(chain, truth, activity, count),
    stutter(isBad) {
      faults.shares = isBad ? stuttering : usual
    },
    async close() {
      await stream.close()
      await fullnode.close()
    },
  }
}
