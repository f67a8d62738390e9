import type { Database } from '../../db/database.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { run } from '../../sync/run.ts'
import type { Log } from '../../util/log.ts'
import type { Waker } from '../../util/wait.ts'
import { postponeNames, readUnnamed, setNames, type UnnamedContract } from '../store/knownContracts.ts'
import { formByIdentity } from '../transfers/transferForm.ts'

export type ReadContractNamesOptions = {
  chains: OpenChains
  leases: Pick<Leases, 'held'>
  db: Database
  log: Log
  waker: Waker
  signal: AbortSignal
}

/** Contracts queried in parallel. */
const atOnce = 16

/** Attempts to read the names of an address without code, over some minutes. */
const mostWithoutCode = 4

/** Attempts to read the name of a live collection without one, over almost four minutes: a node may lag, or the name come later. */
const mostWithoutName = 4

/** Reads due names of contracts in this process's partitions: of known ones, and of collections with new first tokens. Ends with the signal. */
export async function readContractNames(options: ReadContractNamesOptions): Promise<void> {
  const { chains, leases, db, log, waker, signal } = options

  async function name(contract: UnnamedContract): Promise<void> {
    try {
      const { contracts, source } = await chains.open(contract.chainId, signal)
      const identity = await contracts.identify(contract.address, { signal })
      // A reorg may have removed it, and its transaction is in a later block.
      if (!identity.hasCode && contract.attempts < mostWithoutCode) throw new Error('the address has no code')
      const { isLive, attempts } = contract
      if (isLive && !identity.name && attempts < mostWithoutName) throw new Error('the contract returns no name')
      const block = isLive ? (await source.head(signal)).head.number : null
      await setNames(db, contract, { ...identity, standard: formByIdentity(identity)?.standard ?? null }, block)
    } catch (err) {
      if (signal.aborted) return
      log.debug({ chain: contract.chainId, contract: contract.address, err }, 'name of a contract not read')
      await postponeNames(db, contract, Math.min(86_400, 15 * 2 ** Math.min(contract.attempts, 13)))
    }
  }

  async function step(): Promise<'moved' | 'idle'> {
    const unnamed = await readUnnamed(db, [...leases.held('partition')], atOnce)
    await Promise.all(unnamed.map(name))
    return unnamed.length === atOnce ? 'moved' : 'idle'
  }

  await run({ name: 'read names of known contracts', step, idleMs: 2_000, waker, signal, log })
}
