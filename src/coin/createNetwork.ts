import { AptosIdentityError } from '../chain/aptos/aptosError.ts'
import type { AptosLedger, AptosSource } from '../chain/aptos/source.ts'
import type { Database } from '../db/database.ts'
import { unlessAborted } from '../util/wait.ts'
import { noteNetworkHead, openNetwork, readChainId, recordChainId } from './networkStore.ts'

/** A configured network with its sources. */
export type Network = {
  id: number
  name: string
  source: AptosSource
  /** Ranges of history read in parallel. */
  rangesInFlight: number
  /** Versions per range. */
  rangeWidth: bigint
  /** Maximum age of the head of a synced network. */
  maxHeadAgeMs: number
  /** Queries the source for its position. Throws AptosIdentityError if it serves another chain than the stored one. */
  check(signal: AbortSignal): Promise<AptosLedger>
  close(): Promise<void>
}

export type NetworkOptions = Pick<Network, 'name' | 'rangesInFlight' | 'maxHeadAgeMs'> & {
  startVersion: bigint
  /** undefined: the first answer of the source decides. */
  chainId: number | undefined
  /** undefined: the width that suits the source. */
  rangeWidth: number | undefined
  /** Opens the network's source; `chainId` is the chain that it must serve. */
  open(chainId: () => number | undefined): Promise<AptosSource>
}

/** Creates the network's row and binds it to its source. */
export async function createNetwork(db: Database, options: NetworkOptions): Promise<Network> {
  const { name, rangesInFlight } = options
  const id = await openNetwork(db, name, options.startVersion, options.maxHeadAgeMs)
  const closing = new AbortController()
  let chainId = options.chainId ?? (await readChainId(db, id))
  const source = await options.open(() => chainId)
  let checking: Promise<AptosLedger> | undefined

  async function requestLedger(): Promise<AptosLedger> {
    const ledger = await source.ledger(closing.signal)
    const onRecord = await recordChainId(db, id, chainId ?? ledger.chainId)
    expectSame(name, options.chainId ?? ledger.chainId, onRecord)
    chainId = onRecord
    await noteNetworkHead(db, id, ledger.head)
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
      // Finding a stream's head takes seconds, so concurrent callers share it.
      checking ??= requestLedger().finally(() => {
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

/** All stored data is of one chain, whatever the configuration or another process's source reports later. */
function expectSame(name: string, found: number, onRecord: number): void {
  if (found === onRecord) return
  throw new AptosIdentityError(
    `the stored data of ${name} is of chain ${onRecord}, not of chain ${found}: correct the address or chainId, or give the other chain a name of its own`,
  )
}
