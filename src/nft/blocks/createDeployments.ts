import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { rowKeys } from '../../db/rowKeys.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { createLru } from '../../util/createLru.ts'
import { type Address, bufferToHex, hexToBuffer } from '../../util/hex.ts'
import { createSlots, type Slots } from '../../util/mapAtOnce.ts'
import { unlessAborted } from '../../util/wait.ts'
import type { Deployment, DeploymentRequest, FactOptions, OriginQuery } from '../originQuery.ts'

/** Deployments cached in memory: those of final blocks never change. */
const mostKept = 50_000

/** Deployments of a chain read in parallel. Each chain has its own limit, as its nodes may not respond. */
const atOnce = 4

/** Timeout of a read, which continues after the request that started it. */
const patienceMs = 30_000

/** How long the absence in the database is cached, in milliseconds. */
const absentMs = 10_000

/** How long a search is not repeated after it found no block, in milliseconds: a node with older states may answer later. */
const unfoundMs = 600_000

/**
 * How long a read may take until requests no longer wait for it, in milliseconds: requests that name the contract, and
 * requests that only show it.
 */
const namedWaitMs = 2_000
const shownWaitMs = 200

/** Interval between reads of a contract that requests only show, in milliseconds. */
const shownEveryMs = 10_000

const deploymentRow = defineRow({
  collectionId: column.int8('d.collection_id'),
  deployer: column.bytea('d.deployer').map(bufferToHex).orNull(),
  block: column.int8('d.block_number'),
})

const selectStored = `
SELECT ${deploymentRow.columns} FROM ${rowKeys.unnest(1, 'a')}
JOIN contract_deployment d ON d.partition = a.partition AND d.collection_id = a.id
WHERE d.partition = ANY($1::int2[])`

/** Writes nothing if the collection was removed meanwhile. */
const insertStored = `
INSERT INTO contract_deployment (partition, collection_id, deployer, block_number)
SELECT c.partition, c.id, $3::bytea, $4::int8 FROM collection c WHERE c.partition = $1 AND c.id = $2 ON CONFLICT DO NOTHING`

/** Reads deployers and deployment blocks of contracts, once each. */
export type Deployments = {
  /** As in OriginQuery. */
  read: OriginQuery['deployments']
}

/** `db`: stores them. */
export function createDeployments({ db, openChains }: { db: Sql; openChains: Pick<OpenChains, 'open'> }): Deployments {
  const absent = createLru<string, true>(mostKept, { ttl: absentMs })
  const kept = createLru<string, Deployment>(mostKept)
  const unfound = createLru<string, Deployment>(mostKept, { ttl: unfoundMs })
  /** The last reads for requests that only showed the contract: of blocks that are not final, or failed. */
  const shown = createLru<string, { at: number; found: Deployment | null }>(mostKept)
  const reads = new Map<string, Read>()
  /** By chain. */
  const slots = new Map<bigint, Slots>()
  /** By collection, as a restarted chain has new collections. */
  const nameOf = (chainId: bigint, { address, state }: DeploymentRequest) =>
    `${chainId}:${address}:${state.epoch}:${state.id}`

  async function request(
    chainId: bigint,
    { address, state }: DeploymentRequest,
  ): Promise<{ found: Deployment; isFinal: boolean }> {
    const signal = AbortSignal.timeout(patienceMs)
    const { source, contracts } = await openChains.open(chainId, signal)
    const { head, finalized } = await source.head(signal)
    const bisected = await contracts.deploymentBlock(address, head.number, { signal })
    // If the node has no old state, the first block of history may be the deployment, which its receipts show.
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

  async function readAndStore(
    chainId: bigint,
    requested: DeploymentRequest,
    { isNamed }: FactOptions,
  ): Promise<Deployment> {
    const limited = slots.get(chainId) ?? createSlots(atOnce)
    slots.set(chainId, limited)
    // Requests for named contracts wait for the result.
    const { found, isFinal } = await limited(() => request(chainId, requested), { isFirst: isNamed })
    if (!isFinal) return found
    if (found.block === null) {
      unfound.set(nameOf(chainId, requested), found)
      return found
    }
    kept.set(nameOf(chainId, requested), found)
    const { partition, id } = requested.state
    await db.run(insertStored, [partition, id, found.deployer && hexToBuffer(found.deployer), found.block])
    return found
  }

  /** The read in progress, or a new one. If no node responds, the result is null; the endpoint has logged the reason. */
  function begin(chainId: bigint, requested: DeploymentRequest, options: FactOptions): Read {
    const name = nameOf(chainId, requested)
    let read = reads.get(name)
    if (!read) {
      const found = readAndStore(chainId, requested, options).catch(() => null)
      read = { at: performance.now(), found: found.finally(() => reads.delete(name)) }
      reads.set(name, read)
    }
    return read
  }

  /** Loads stored deployments into memory. */
  async function load(chainId: bigint, requested: readonly DeploymentRequest[]): Promise<void> {
    const missing = requested.filter((one) => !kept.has(nameOf(chainId, one)) && !absent.has(nameOf(chainId, one)))
    if (missing.length === 0) return
    const keys = rowKeys.lists(missing.map(({ state }) => state))
    const rows = (await db.rows(selectStored, keys)).map(deploymentRow.decode)
    const stored = new Map(rows.map(({ collectionId, ...found }) => [collectionId, found]))
    for (const one of missing) {
      const found = stored.get(one.state.id)
      if (found) kept.set(nameOf(chainId, one), found)
      else absent.set(nameOf(chainId, one), true)
    }
  }

  const readNamed = (chainId: bigint, requested: DeploymentRequest) =>
    within(begin(chainId, requested, { isNamed: true }), namedWaitMs)

  /** Waits only for the first read. */
  async function readShown(chainId: bigint, requested: DeploymentRequest): Promise<Deployment | null> {
    const name = nameOf(chainId, requested)
    const last = shown.get(name)
    if (last && performance.now() - last.at < shownEveryMs) return last.found
    const next = { at: performance.now(), found: last?.found ?? null }
    shown.set(name, next)
    const read = begin(chainId, requested, { isNamed: false })
    const found = read.found.then((found) => (next.found = found ?? next.found))
    return last ? last.found : within({ ...read, found }, shownWaitMs)
  }

  return {
    async read(chainId, requested, { isNamed }) {
      await load(chainId, requested)
      const unknown = isNamed ? readNamed : readShown
      return Promise.all(
        requested.map((one) => {
          const name = nameOf(chainId, one)
          return kept.get(name) ?? unfound.get(name) ?? unknown(chainId, one)
        }),
      )
    },
  }
}

/** A read in progress; `at`: its start. */
type Read = { at: number; found: Promise<Deployment | null> }

/** The result, or null if the read takes longer than `waitMs` since its start: later requests do not wait for a slow node again. */
async function within({ at, found }: Read, waitMs: number): Promise<Deployment | null> {
  const restMs = Math.ceil(at + waitMs - performance.now())
  return restMs > 0 ? unlessAborted(found, AbortSignal.timeout(restMs)).catch(() => null) : null
}
