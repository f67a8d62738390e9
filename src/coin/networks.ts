import type { AptosLedger, AptosSource } from '../chain/aptos/source.ts'
import type { Database } from '../db/database.ts'
import { MintmarkError } from '../errors.ts'
import { unlessAborted } from '../util/wait.ts'
import { noteHead, openNetwork, recordChainId } from './networkStore.ts'

/** A network of the configuration with what it is read from. */
export type Network = {
  id: number
  name: string
  source: AptosSource
  /** Ranges of history read at once. */
  rangesInFlight: number
  /** Versions of one of them. */
  rangeWidth: bigint
  /** The chain that the source has to serve. */
  chainId(): number | undefined
  /** Asks the source where it stands. Throws NetworkIdentityError where it serves another chain than the one stored. */
  check(signal: AbortSignal): Promise<AptosLedger>
  close(): Promise<void>
}

/** The source serves another chain than the one whose data is stored under this name. */
export class NetworkIdentityError extends MintmarkError {
  readonly code = 'NETWORK_IDENTITY'
}

export type NetworkOptions = {
  name: string
  startVersion: bigint
  /** undefined: whatever the source says first. */
  chainId: number | undefined
  rangesInFlight: number
  /** undefined: as suits the source. */
  rangeWidth: number | undefined
  source: AptosSource
}

/** Makes the network's row and ties it to its source. */
export async function createNetwork(db: Database, options: NetworkOptions): Promise<Network> {
  const { name, source, rangesInFlight } = options
  const id = await openNetwork(db, name, options.startVersion)
  const closing = new AbortController()
  let chainId: number | undefined
  let checking: Promise<AptosLedger> | undefined

  async function askSource(): Promise<AptosLedger> {
    const ledger = await source.ledger(closing.signal)
    expectChain(name, options.chainId, ledger.chainId)
    const onRecord = await recordChainId(db, id, ledger.chainId)
    expectChain(name, onRecord, ledger.chainId)
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
    chainId: () => chainId,
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

/** Every batch is checked too: one address may have several nodes behind it. */
export function expectChain(name: string, expected: number | undefined, found: number): void {
  if (expected === undefined || expected === found) return
  throw new NetworkIdentityError(
    `the source of ${name} serves chain ${found}, but ${name} is chain ${expected}: correct the address, or give the other chain a name of its own`,
  )
}
