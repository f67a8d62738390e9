import { NoEndpointError, RpcError } from '../chain/evm/rpc/rpcError.ts'
import { InconsistentResponseError } from '../chain/evm/source/sourceError.ts'
import type { Database } from '../db/database.ts'
import { CommitUnseenError, DatabaseUnavailableError, isConnectionError, sqlState } from '../db/databaseError.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { MintmarkError } from '../util/errors.ts'
import { shownReason } from '../util/faults/shownReason.ts'
import type { Log } from '../util/log.ts'
import { createWaker, isWokenFor, type Waker, type WokenFor } from '../util/wait.ts'
import type { BlockHandler } from './blockHandler.ts'
import { noteChainFailure, writeChains } from './chainStore.ts'
import { DeepReorgError } from './findNext.ts'
import { CursorLostError, createFollower, type Follower } from './follow.ts'
import type { Leases } from './leases/lease.ts'
import { ChainIdentityError, type OpenChain, type OpenChains } from './openChains.ts'
import { run, wokenFor } from './run.ts'

export type FollowChainsOptions = {
  chains: OpenChains
  leases: Leases
  db: Database
  /** The chains among these with collections or streams. `changed`: those for which this may have changed since the last call. */
  wanted: (chains: readonly bigint[], changed: WokenFor) => Promise<readonly bigint[]>
  /** `wake` makes the follower step immediately, as its handler must act between two blocks. */
  createHandler: (open: OpenChain, wake: () => void) => Promise<BlockHandler>
  /** Writing blocks of a chain took longer than the limit (isLate.ts). */
  onLate?: () => void
  metrics: Metrics
  log: Log
  waker: Waker
  signal: AbortSignal
}

/** Runs a follower for each needed chain whose lease this process holds. Ends with the signal. */
export async function followChains(options: FollowChainsOptions): Promise<void> {
  const { leases, wanted, waker, signal, log } = options
  const running = new Map<bigint, { stop: AbortController; waker: Waker; done: Promise<void> }>()

  async function tick(rested: boolean): Promise<'idle'> {
    const held = leases.held('chain')
    const own = options.chains.ids.filter((id) => held.has(id))
    const woken = wokenFor(waker, rested)
    const wantedChains = new Set((await wanted(own, woken)).filter((id) => leases.held('chain').has(id)))
    for (const [id, follower] of running) {
      if (wantedChains.has(id)) {
        if (isWokenFor(woken, id)) follower.waker.wake()
      } else {
        running.delete(id)
        follower.stop.abort()
        await follower.done
      }
    }
    for (const id of wantedChains) {
      if (running.has(id)) continue
      const stop = new AbortController()
      const own = createWaker()
      running.set(id, { stop, waker: own, done: followChain(options, id, own, AbortSignal.any([signal, stop.signal])) })
    }
    return 'idle'
  }

  await run({ name: 'wanted chains', step: (_, rested) => tick(rested), idleMs: 1_000, waker, signal, log })
  await Promise.all([...running.values()].map((follower) => follower.done))
}

/** SQLSTATE classes of transient errors: conflicting transactions, lack of disk or memory, locks. */
const shortages = ['40', '53', '55']

/**
 * Whether the memory of the follower's handler is valid after an error: a node did not respond, or the database rolled everything back. After other
 * errors, such as a connection lost during a commit or a chain that another process followed meanwhile, the handler is recreated.
 */
function isPassing(error: unknown): boolean {
  if (error instanceof DatabaseUnavailableError) return !(error instanceof CommitUnseenError)
  if (error instanceof CursorLostError || isConnectionError(error)) return false
  const state = sqlState(error)
  if (state !== undefined) return shortages.includes(state.slice(0, 2))
  return error instanceof MintmarkError && error.retryable
}

/** Whether an error says that the nodes' chain differs from the stored one. */
function contradicts(error: unknown): boolean {
  if (error instanceof RpcError) return error.class === 'wrong_chain'
  if (error instanceof NoEndpointError) return error.otherChain
  return error instanceof DeepReorgError || error instanceof ChainIdentityError
}

async function followChain(
  options: FollowChainsOptions,
  chainId: bigint,
  waker: Waker,
  signal: AbortSignal,
): Promise<void> {
  const { chains, leases, db, createHandler, onLate, metrics, log } = options
  let follower: Follower | undefined
  let handler: BlockHandler | undefined
  let followed: OpenChain | undefined
  /** This process's worker id when the handler was created. */
  let holder: number | undefined
  let pollMs = 1_000
  /** Something may be able to join the head. */
  let woken = false

  const worker = () => (leases.held('chain').has(chainId) ? leases.workerId() : undefined)

  /** Closes the handler; the next step creates a new one, which loads everything again. */
  async function forget(): Promise<void> {
    follower = undefined
    await handler?.close?.()
  }

  async function step(): Promise<'moved' | 'idle'> {
    // After an inconsistent response the chain is checked again; after a reset it is another object.
    const open = await chains.open(chainId, signal)
    // Another worker may have followed the chain, and made collections join, while this one held no lease.
    if (!follower || open !== followed || worker() !== holder) {
      // Before the new handler is created, which may fail: the old one is useless now.
      if (follower) await forget()
      followed = open
      const own = worker()
      holder = own
      pollMs = open.chain.pollIntervalMs
      // Before the handler loads its collections and streams, so that every later change is noticed.
      const [revision] = await writeChains(db, [chainId])
      handler = await createHandler(open, waker.wake)
      follower = createFollower({
        chain: open.chain,
        source: open.source,
        handler,
        db,
        // A step that began under one worker id never commits under the next one, whose handler is not loaded yet.
        worker: () => (worker() === own ? own : undefined),
        revision,
        onInconsistency: () => chains.distrust(chainId),
        onLate,
        metrics,
        log,
      })
    }
    const outcome = await follower.step(signal, woken)
    if (outcome === 'revised') await forget()
    woken = outcome === 'idle' && (await waker.wait(pollMs, signal))
    return 'moved'
  }

  await run({
    name: 'follow chain',
    about: { chain: chainId },
    step,
    idleMs: pollMs,
    waker,
    signal,
    log,
    async onError(error) {
      // First, as recording the error may also fail while the database is unreachable.
      if (!isPassing(error)) await forget()
      if (contradicts(error) || error instanceof InconsistentResponseError) chains.distrust(chainId)
      const failure = { failure: shownReason(error), contradicted: contradicts(error) }
      await noteChainFailure(db, { chainId, worker: worker(), ...failure })
    },
  })
  await handler?.close?.()
}
