import { readChain } from '../../sync/chainStore.ts'
import { type Begin, schedule, type UnderWay } from '../../sync/schedule.ts'
import { fetchMetadata, metadataHost } from './fetchMetadata.ts'
import { parseContractMetadata } from './parse/parseContractMetadata.ts'
import type { ReadMetadataOptions } from './readMetadataOptions.ts'
import { type ContractOutcome, type DueContract, readDueContracts, settleContract } from './store/contractStore.ts'
import { createMetadataHosts } from './store/metadataHosts.ts'

/** Contracts read in parallel. */
const atOnce = 32

/** Timeouts for a contract's metadata. The first is short, so that many contracts whose hosts hang delay others less. */
const firstPatienceMs = 5_000
const patienceMs = 30_000

export type ReadContractsOptions = Pick<
  ReadMetadataOptions,
  'chains' | 'leases' | 'db' | 'origins' | 'log' | 'waker' | 'signal'
> & { settings: Pick<ReadMetadataOptions['settings'], 'retryDelaysMs'> }

/** Reads requested metadata of contracts: `contractURI()` of ERC-7572, fetched like tokens' metadata. Ends with the signal. */
export async function readContracts(options: ReadContractsOptions): Promise<void> {
  const { chains, leases, db, origins, settings, log, waker, signal } = options

  async function read(contract: DueContract): Promise<ContractOutcome> {
    const timeoutMs = contract.attempts === 0 ? firstPatienceMs : patienceMs
    const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    const { contracts } = await chains.open(contract.chainId, limited)
    const since = (await readChain(db, contract.chainId))?.block?.number
    const uri = await contracts.contractUri(contract.address, { since, signal: limited })
    if (typeof uri !== 'string')
      return uri.lasting ? { kind: 'none', reason: uri.reason } : failed(contract, uri.reason)
    if (uri.trim() === '') return { kind: 'none', reason: 'contractURI is empty' }
    const hosts = createMetadataHosts([], settings)
    const found = await fetchMetadata(origins, { uri, tokenId: 0n, hosts, signal: limited })
    if (found.kind === 'permanent') return { kind: 'none', reason: found.reason }
    if (found.kind !== 'metadata') return failed(contract, found.reason)
    const value = parse(found.metadata.text)
    if (value !== undefined) return { kind: 'metadata', metadata: parseContractMetadata(value) }
    const reason = 'contractURI leads to no JSON'
    // A host may send a placeholder for a while; inline content never changes.
    return metadataHost(uri, 0n) === undefined ? { kind: 'none', reason } : failed(contract, reason)
  }

  async function settle(contract: DueContract): Promise<void> {
    const outcome = await read(contract).catch((err: unknown) => {
      if (signal.aborted) throw err
      log.debug({ chain: contract.chainId, contract: contract.address, err }, 'metadata of a contract not read')
      return failed(contract, 'the node or the host does not answer')
    })
    await settleContract(db, contract, outcome)
  }

  /** Errors of the database, for the loop. */
  const errors: unknown[] = []

  async function look(underWay: UnderWay<bigint, null>, begin: Begin<bigint, null>): Promise<'idle'> {
    if (errors.length > 0) throw errors.splice(0)[0]
    const limit = atOnce - underWay.size
    if (limit > 0)
      for (const contract of await readDueContracts(db, leases.served(), { limit, running: [...underWay.keys()] }))
        begin(contract.id, null, () => settle(contract).catch((error: unknown) => void errors.push(error)))
    return 'idle'
  }

  await schedule({ name: 'read contract metadata', look, idleMs: 5_000, waker, signal, log })
}

/** Retried after 1 min, then less and less often, at most a day later. */
const failed = ({ attempts }: DueContract, reason: string): ContractOutcome => ({
  kind: 'failed',
  reason,
  retrySeconds: Math.min(86_400, 60 * 2 ** Math.min(attempts, 11)),
})

function parse(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}
