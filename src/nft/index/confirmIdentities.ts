import type { ContractIdentity, ContractReader } from '../../chain/evm/contracts/contract.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { blockHashes, readChain } from '../../sync/chainStore.ts'
import { holdsLease } from '../../sync/leases/lease.ts'
import type { Log } from '../../util/log.ts'
import { requeueCollection } from '../store/requeueCollections.ts'
import { confirmIdentity, readUncertain, type UncertainIdentity } from '../store/uncertainIdentities.ts'
import { formByIdentity } from '../transfers/transferForm.ts'

type ConfirmOptions = {
  chainId: bigint
  source: Pick<EvmSource, 'head'>
  contracts: Pick<ContractReader, 'identify'>
  db: Database
  worker: number
}

/** Queries contracts again beside the follower: at startup and after each reorg. */
export type Confirmations = {
  /** A reorg may have undone facts of a contract. */
  inconsistency(): void
  /** Starts queries if some contract is uncertain and no query runs. */
  confirm(worker: number, signal: AbortSignal): void
  close(): Promise<void>
}

export function createConfirmations(
  options: Omit<ConfirmOptions, 'chainId' | 'worker'> & { chain: { id: bigint; name: string }; log: Log },
): Confirmations {
  const { chain, log, ...common } = options
  let isInconsistent = true
  let confirming: Promise<void> | undefined
  const closing = new AbortController()

  /** Never throws. */
  async function request(worker: number, signal: AbortSignal): Promise<void> {
    isInconsistent = false
    try {
      if (!(await confirmIdentities({ ...common, chainId: chain.id, worker }, signal))) isInconsistent = true
    } catch (err) {
      isInconsistent = true
      if (!signal.aborted) log.warn({ chain: chain.name, err }, 'contract identity check failed')
    }
  }

  return {
    inconsistency() {
      isInconsistent = true
    },
    confirm(worker, signal) {
      if (!isInconsistent || confirming) return
      confirming = request(worker, AbortSignal.any([signal, closing.signal])).finally(() => {
        confirming = undefined
      })
    },
    async close() {
      closing.abort()
      await confirming
    },
  }
}

/**
 * Queries contracts again that were read in undone blocks. A contract with the same identity makes its collection
 * certain again. If the address has another contract, or none, the collection is removed and indexed again. False: no
 * node returned some contracts at a followed block; these are queried later.
 */
async function confirmIdentities(options: ConfirmOptions, signal: AbortSignal): Promise<boolean> {
  const { chainId, source, contracts, db, worker } = options
  let all = true
  for (const known of await readUncertain(db, chainId)) {
    const { head } = await source.head(signal)
    const identity = await contracts.identify(known.address, { signal })
    all = (await db.transaction((tx) => settle(tx, known, { identity, head, worker }))) && all
  }
  return all
}

async function settle(
  tx: Transaction,
  known: UncertainIdentity,
  { identity, head, worker }: { identity: ContractIdentity; head: { number: bigint; hash: string }; worker: number },
): Promise<boolean> {
  const { chainId } = known
  // The lock of the chain's row prevents reorganisations.
  const row = await readChain(tx, chainId, true)
  if (!row?.block || !(await holdsLease(tx, 'chain', chainId, worker))) return false
  const { number, hash } = row.block
  const followed =
    head.number === number ? hash : (await blockHashes(tx, chainId, head.number, head.number)).get(head.number)
  if (followed !== head.hash) return false
  if (!isSame(known, identity)) await requeueCollection(tx, known)
  else await confirmIdentity(tx, known, head.number)
  return true
}

function isSame(known: UncertainIdentity, identity: ContractIdentity): boolean {
  const form = formByIdentity(identity)
  const sameStandard = form ? known.bySelf && form.standard === known.standard : !known.bySelf
  // A self-destructed contract is identified by its logs.
  const isThere = identity.hasCode || known.transfers > 0n
  const { name, symbol } = identity
  // `coins` also came from the contract. Such a collection has no data, so it is cheap to decide again.
  return isThere && sameStandard && !known.coins && name === known.name && symbol === known.symbol
}
