import { AptosIdentityError } from '../chain/aptos/aptosError.ts'
import type { AptosLedger, AptosSource } from '../chain/aptos/source.ts'
import type { Database } from '../db/database.ts'
import { unlessAborted } from '../util/wait.ts'
import { noteHead, openNetwork, readChainId, recordChainId } from './networkStore.ts'

/** A network of the configuration with its sources. */
export type Network = {
  id: number
  name: string
  source: AptosSource
  /** Ranges of history read at once. */
  rangesInFlight: number
  /** Versions of one of them. */
  rangeWidth: bigint
  /** The network is not called synced while its head is not confirmed for longer. */
  maxHeadAgeMs: number
  /** Queries the source for its position. Throws AptosIdentityError if it serves another chain than the stored one. */
  check(signal: AbortSignal): Promise<AptosLedger>
  close(): Promise<void>
}

export type NetworkOptions = Pick<Network, 'name' | 'rangesInFlight' | 'maxHeadAgeMs'> & {
  startVersion: bigint
  /** undefined: whatever the source says first. */
  chainId: number | undefined
  /** undefined: the width that suits the source. */
  rangeWidth: number | undefined
  /** Opens the source of the network; `chainId` is the chain that the source has to serve. */
  open(chainId: () => number | undefined): Promise<AptosSource>
}

/** Makes the network's row and ties it to its source. */
export async function createNetwork(db: Database, options: NetworkOptions): Promise<Network> {
  const { name, rangesInFlight } = options
  const id = await openNetwork(db, name, options.startVersion, options.maxHeadAgeMs)
  const closing = new AbortController()
  let chainId = options.chainId ?? (await readChainId(db, id))
  const source = await options.open(() => chainId)
  let checking: Promise<AptosLedger> | undefined

  async function askSource(): Promise<AptosLedger> {
    const ledger = await source.ledger(closing.signal)
    const onRecord = await recordChainId(db, id, chainId ?? ledger.chainId)
    expectSame(name, options.chainId ?? ledger.chainId, onRecord)
    chainId = onRecord
    await noteHead(db, id, ledger.head)
    return ledger
  }

  return {
    id,
    name,
    source,
    rangesInFlight,
    rangeWidth: options.rangeWidth === undefined ? source.rangeWidth : BigInt(options.rangeWidth),
    maxHeadAgeMs: options.maxHeadAgeMs,
    check(signal) {
      // Finding the head of a stream takes seconds, so all who wait share one.
      checking ??= askSource().finally(() => {
        checking = undefined
      })
      return unlessAborted(checking, signal)
    },
    async close() {
      closing.abort()
      await source.close()
    },
  }
}

/** What is stored came from one chain, whatever the configuration or another process's source says later. */
function expectSame(name: string, found: number, onRecord: number): void {
  if (found === onRecord) return
  throw new AptosIdentityError(
    `the stored data of ${name} is of chain ${onRecord}, not of chain ${found}: correct the address or chainId, or give the other chain a name of its own`,
  )
}
