import { setTimeout as wait } from 'node:timers/promises'
import type { FaultPlan } from '../test/faultPlan.ts'
import { createRandom } from '../test/random.ts'
import type { Unreachable } from './journal.ts'
import type { Deed, Planned } from './plan.ts'
import { nothingIfUnreachable } from './processes/queryDatabase.ts'
import type { World } from './world.ts'

/** Errors of nodes that can happen at any time. */
const usual: FaultPlan = {
  faults: {
    tooManyRequests: 0.005,
    serverError: 0.005,
    cut: 0.005,
    lagging: 0.03,
    reorderedBatch: 0.1,
    rateLimited: 0.002,
  },
  lagBlocks: 2n,
}
const lies = [
  'lagging',
  'emptyLogs',
  'missingHeader',
  'wrongBlock',
  'reversedLogs',
  'duplicatedLogs',
  'foreignLogs',
  'emptyReceipts',
] as const
const lying: FaultPlan = { faults: Object.fromEntries(lies.map((lie) => [lie, { probability: 0.05, inARow: 2 }])) }
const rejecting: FaultPlan = {
  faults: {
    tooManyRequests: 0.2,
    serverError: 0.2,
    htmlAnswer: 0.1,
    hang: { probability: 0.05, inARow: 1 },
    brokenJson: 0.1,
    cut: 0.1,
    missingAnswer: 0.1,
  },
  rangeCap: { blocks: 10n, wording: 'infura' },
  maxBatch: 5,
}
const unavailable: FaultPlan = { faults: { serverError: { probability: 1, inARow: Number.POSITIVE_INFINITY } } }

/** Runs the actions of a round at their times. Resolves once everything that they stopped runs again, and returns the actions. */
export async function playRound(world: World, deeds: readonly Planned[], signal: AbortSignal): Promise<Planned[]> {
  for (const { proxy } of world.nodes) proxy.setPlan(usual)
  const began = world.journal.now()
  const done: Planned[] = []
  const doing: Promise<void>[] = []
  for (const planned of deeds) {
    const { number, at, deed } = planned
    await wait(Math.max(0, began + at - world.journal.now()), undefined, { signal }).catch(() => undefined)
    if (signal.aborted) break
    world.journal.log(`#${number} ${describe(deed, world)}`)
    done.push(planned)
    doing.push(perform(world, number, deed))
  }
  await Promise.all(doing)
  for (const { proxy } of world.nodes) proxy.setPlan({})
  return done
}

export function describe({ kind, ...rest }: Deed, world?: World): string {
  const place = 'process' in rest ? world?.processes[rest.process]?.name : undefined
  const details = Object.entries(rest).map(([name, value]) =>
    name === 'process' && place ? place : `${name} ${value}`,
  )
  return [kind, ...details].join(', ')
}

async function perform(world: World, number: number, deed: Deed): Promise<void> {
  const { chain, nodes, database, journal, receivers, hosts, aptos } = world
  const random = createRandom(world.seed + 104_729 * (number + 1))
  const forAWhile = async (ms: number, begin: () => void | Promise<void>, end: () => void) => {
    await begin()
    await wait(ms)
    end()
  }
  /** Marks the database as unreachable during `what` and until it accepts statements again. */
  const databaseUnreachable = async (what: () => Promise<void>) => {
    const back = journal.markUnreachable('database')
    // It may already be unreachable.
    await what().catch(nothingIfUnreachable)
    await database.untilBack()
    back()
  }
  switch (deed.kind) {
    case 'reorganise':
      return chain.reorganise(deed.depth + (await notFollowed(world)))
    case 'flip':
      return void chain.flip()
    case 'holdNode': {
      const { node } = nodes[deed.node]!
      return forAWhile(
        deed.ms,
        () => node.hold(true),
        () => node.hold(false),
      )
    }
    // Responses that need a node, such as the time of a block, may fail. With a single rejecting node the service uses the other one.
    case 'lyingNodes':
    case 'nodesUnreachable':
    case 'rejectingNode': {
      const back = deed.kind === 'rejectingNode' ? () => undefined : journal.markUnreachable('nodes')
      const concerned = deed.kind === 'rejectingNode' ? [nodes[deed.node]!] : nodes
      await forAWhile(
        deed.ms,
        () =>
          setPlans(
            concerned,
            { lyingNodes: lying, nodesUnreachable: unavailable, rejectingNode: rejecting }[deed.kind],
          ),
        () => setPlans(concerned, usual),
      )
      return back()
    }
    case 'killProcess':
    case 'freezeProcess':
      return disturb(world, deed)
    case 'cutConnections': {
      const from = journal.now()
      return databaseUnreachable(async () => {
        if (await database.cut(random, deed.all)) journal.noteOutage('deliver', from)
      })
    }
    case 'killDatabase': {
      // Leases end with their connections, and unstored outcomes are lost, as when a process is killed.
      const back = journal.markUnreachable('deliver')
      await databaseUnreachable(async () => {
        await database.kill(deed.what, random)
        // PostgreSQL first logs the crash, then ends the backends, then restarts.
        await wait(500)
      })
      return back()
    }
    case 'fillDisk':
      if (!database.canFill) return
      return fillDisk(world, deed.ms, databaseUnreachable)
    case 'stopWorker':
      return databaseUnreachable(() => database.stopWorker(deed.worker, deed.ms))
    case 'badReceivers':
      return forAWhile(
        deed.ms,
        () => receivers.misbehave(true),
        () => receivers.misbehave(false),
      )
    case 'badHosts':
      return forAWhile(
        deed.ms,
        () => hosts.misbehave(true),
        () => hosts.misbehave(false),
      )
    case 'stutter':
      return forAWhile(
        deed.ms,
        () => aptos.stutter(true),
        () => aptos.stutter(false),
      )
  }
}

/**
 * Number of the last blocks that the service has not followed yet. A reorganisation removes them as well: a reorg of blocks that nobody
 * followed would change nothing. On a busy machine nearly all reorgs would be such ones.
 */
async function notFollowed({ chain, database }: World): Promise<number> {
  const rows = await database.rowsUnlessUnreachable<[number | null]>('SELECT block_number::int FROM chain')
  return Math.max(0, chain.head().number - (rows?.[0]?.[0] ?? chain.head().number))
}

async function fillDisk(
  { database, journal }: World,
  ms: number,
  databaseUnreachable: (what: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const from = journal.now()
  const hasEnded = (await database.watchEnd().catch(nothingIfUnreachable)) ?? (() => true)
  await databaseUnreachable(async () => {
    try {
      await database.fillDisk()
      await wait(ms)
    } finally {
      database.clearDisk()
    }
  })
  // A server that cannot write its WAL ends and restarts, and all leases end with it.
  if (hasEnded()) journal.noteOutage('deliver', from)
}

function setPlans(nodes: World['nodes'], plan: FaultPlan): void {
  for (const { proxy } of nodes) proxy.setPlan(plan)
}

/** Returns what is unreachable while a process is down. */
function unreachableWith({ role, name }: World['processes'][number]): Unreachable[] {
  if (role === 'deliver') return ['deliver']
  return role === 'api' ? [name as Unreachable] : []
}

type Disturbance = Extract<Deed, { kind: 'killProcess' | 'freezeProcess' }>

async function disturb({ processes, journal }: World, deed: Disturbance): Promise<void> {
  const target = processes[deed.process]!
  // A delivering process stops cleanly after SIGTERM: it stores all outcomes, and no webhook is sent again.
  const isInOrder = target.role === 'deliver' && deed.kind === 'killProcess' && deed.signal === 'SIGTERM'
  const unreachable = isInOrder ? [] : unreachableWith(target)
  const backs = unreachable.map((what) => journal.markUnreachable(what))
  if (deed.kind === 'freezeProcess') {
    target.freeze(true)
    await wait(deed.ms)
    target.freeze(false)
  } else {
    await target.kill(deed.signal)
    await wait(deed.ms)
    target.start()
    await target.untilReady(AbortSignal.timeout(120_000)).catch(() => undefined)
  }
  for (const back of backs) back()
}
