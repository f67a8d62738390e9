import type { OpenChains } from '../../sync/openChains.ts'
import { createLru } from '../../util/createLru.ts'
import type { Address } from '../../util/hex.ts'
import type { Deployment, DeploymentAsked } from '../originQuery.ts'

/** Deployments that are kept: those of final blocks never change. */
const mostKept = 50_000

/** Contracts whose deployments are read at once. */
const atOnce = 4

/** How long reading one may take; it goes on behind the request that began it. */
const patienceMs = 30_000

/** Reads by whom and when contracts were deployed, once each. */
export type Deployments = {
  /** In the order asked; null: not known within `waitMs`, 0 of which reads nothing. */
  read(chainId: bigint, asked: readonly DeploymentAsked[], waitMs: number): Promise<(Deployment | null)[]>
}

export function createDeployments({ openChains }: { openChains: Pick<OpenChains, 'open'> }): Deployments {
  const kept = createLru<string, Deployment>(mostKept)
  const reading = new Map<string, Promise<Deployment | null>>()
  let active = 0
  const waiting: (() => void)[] = []
  /** By collection, as all collections of a chain that is begun anew are others. */
  const nameOf = (chainId: bigint, { address, state }: DeploymentAsked) =>
    `${chainId}:${address}:${state.epoch}:${state.id}`

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (active >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    active++
    try {
      return await work()
    } finally {
      active--
      waiting.shift()?.()
    }
  }

  async function ask(
    chainId: bigint,
    { address, state }: DeploymentAsked,
  ): Promise<{ found: Deployment; isFinal: boolean }> {
    const signal = AbortSignal.timeout(patienceMs)
    const { source, contracts } = await openChains.open(chainId, signal)
    const { head, finalized } = await source.head(signal)
    const bisected = await contracts.deploymentBlock(address, head.number, signal)
    // Where the node keeps no old state, the first block of the history may be it, which the receipts tell.
    const block = bisected ?? state.fromBlock ?? 0n
    const [header] = block > 0n ? await source.headers(block, block, signal) : []
    if (!header) return { found: { deployer: null, block: bisected ?? null }, isFinal: false }
    const receipts = await source.receipts(header, signal)
    const made = receipts.find(({ contractAddress }) => contractAddress?.toLowerCase() === address)
    const transactions = made ? await source.transactions(header, signal) : []
    const sent = transactions.find(({ hash }) => hash === made?.transactionHash)
    const deployer = (sent?.from.toLowerCase() as Address | undefined) ?? null
    return { found: { deployer, block: made ? block : (bisected ?? null) }, isFinal: block <= finalized }
  }

  function begin(chainId: bigint, asked: DeploymentAsked): Promise<Deployment | null> {
    const name = nameOf(chainId, asked)
    const underWay = reading.get(name)
    if (underWay) return underWay
    const work = inTurn(() => ask(chainId, asked))
      .then(({ found, isFinal }) => {
        if (isFinal) kept.set(name, found)
        return found
      })
      // A node that does not answer leaves the fields out: the endpoint has logged why.
      .catch(() => null)
      .finally(() => reading.delete(name))
    reading.set(name, work)
    return work
  }

  return {
    async read(chainId, asked, waitMs) {
      const known = asked.map((one) => kept.get(nameOf(chainId, one)) ?? null)
      if (waitMs === 0 || known.every((one) => one !== null)) return known
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<null>((resolve) => {
        timer = setTimeout(() => resolve(null), waitMs).unref()
      })
      const found = await Promise.all(asked.map((one, i) => known[i] ?? Promise.race([begin(chainId, one), late])))
      clearTimeout(timer)
      return found
    },
  }
}
