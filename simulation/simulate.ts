import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../test/random.ts'
import { finalityDepth } from './chain/worldChain.ts'
import { readOnce } from './clients/reader.ts'
import { changeStreams, createStream } from './clients/streamOwner.ts'
import { retrying } from './clients/worldClient.ts'
import { checkBounds, type Peaks } from './invariants/bounds.ts'
import { awaitCoins, checkCoins } from './invariants/coins.ts'
import { awaitCollections, checkCollections } from './invariants/collections.ts'
import { checkCoverage } from './invariants/coverage.ts'
import { awaitMetadata, awaitRanks } from './invariants/metadata.ts'
import { awaitStreams, checkStreams, settleOwner } from './invariants/streams.ts'
import { createJournal, type Journal } from './journal.ts'
import { drawPlan, type Planned } from './plan.ts'
import { plantFault, plants } from './plants.ts'
import { playRound } from './play.ts'
import { sabotages } from './sabotage.ts'
import { startWorld, type World, type WorldSize, worldSize } from './world.ts'

export type SimulateOptions = {
  seed: number
  /** Length of all rounds, without quiet points. */
  ms: number
  /** Filter of the plan's actions; omitted: all. */
  only?: (planned: Planned) => boolean
  /** Number of rounds; omitted: all. */
  mostRounds?: number
  size?: WorldSize
  /** How long the service may take to finish all pending work. */
  patienceMs?: number
  report?: (line: string) => void
}

/** The result of a run. `done`: the actions, in `rounds` rounds. If there are failures, the last round broke something. */
export type Outcome = {
  seed: number
  faults: Journal['faults']
  lines: readonly string[]
  done: readonly Planned[]
  rounds: number
}

/** Time between two quiet points. */
const roundMs = 20_000
/** Default patience, long enough for a machine that also does other work. */
const usualPatienceMs = 240_000
const readers = 3
/** The world counts as stalled if a timer is late by more than this, in milliseconds. */
const mostLateMs = 700

/** Runs the world of a seed in rounds. A quiet point follows each, where all invariants must hold. */
export async function simulate(options: SimulateOptions): Promise<Outcome> {
  const {
    seed,
    ms,
    only = () => true,
    mostRounds = Number.POSITIVE_INFINITY,
    size = worldSize,
    patienceMs = usualPatienceMs,
    report = () => undefined,
  } = options
  const journal = createJournal(report)
  // Even seeds have wallets over all contracts of the chain, odd ones over its indexed collections.
  const world = await startWorld(seed, { wallets: seed % 2 === 0 ? 'chain' : 'indexed', ...size }, journal)
  const rounds = Math.max(1, Math.round(ms / roundMs))
  const whole = drawPlan(seed, {
    ...{ rounds, roundMs: ms / rounds, processes: world.processes.length },
    ...{ nodes: world.nodes.length, workers: world.database.workers },
  })
  const plan = whole.filter(only)
  const peaks: Peaks = new Map()
  const done: Planned[] = []
  const watch = watchTime(journal)
  let played = 0
  try {
    journal.log(`the world of seed ${seed} is ready: ${rounds} rounds, ${plan.length} deeds`)
    for (let round = 0; round < Math.min(rounds, mostRounds) && journal.faults.length === 0; round++) {
      played++
      done.push(...(await runRound(world, plan, { round, ms: ms / rounds }, peaks)))
      if (journal.faults.length === 0) await checkQuiet(world, round, patienceMs)
    }
    if (journal.faults.length === 0) await awaitRanks(world, patienceMs)
    journal.log(
      `answers ${reported(world.client.counts)}; peaks ${reported(new Map([...peaks].map(([k, v]) => [k, Math.round(v)])))}`,
    )
    journal.log(`compared: ${reported(journal.counted)}`)
    journal.log(`let pass: ${reported(journal.excused) || 'nothing'}`)
  } finally {
    clearInterval(watch)
    await world.stop()
  }
  return { seed, faults: journal.faults, lines: journal.lines, done, rounds: played }
}

/** Notes stalls of this process, which runs nodes, receivers and clients. */
function watchTime(journal: Journal): NodeJS.Timeout {
  let last = journal.now()
  return setInterval(() => {
    if (journal.now() - last > mostLateMs) journal.stalled(last)
    last = journal.now()
  }, 100)
}

const reported = (counts: ReadonlyMap<unknown, number>) =>
  [...counts].map(([what, count]) => `${what}: ${count}`).join(', ')

async function runRound(
  world: World,
  plan: readonly Planned[],
  { round, ms }: { round: number; ms: number },
  peaks: Peaks,
): Promise<Planned[]> {
  const { journal } = world
  const end = new AbortController()
  const began = journal.now()
  const going = () => !end.signal.aborted && journal.now() - began < ms && journal.faults.length === 0
  const loop = async (pauseMs: () => number, step: () => Promise<void> | void) => {
    while (going()) {
      await step()
      await wait(pauseMs())
    }
  }
  const randomOf = (actor: number) => createRandom(world.seed + 131 * round + actor)
  const [pace, owner, coins] = [randomOf(11), randomOf(12), randomOf(13)]
  const actors = [
    loop(
      () => 120 + pace.int(250),
      () => world.chain.add(),
    ),
    loop(
      () => 100 + pace.int(300),
      () => world.aptos.add(1 + pace.int(8)),
    ),
    loop(
      () => 700,
      () => checkCoverage(world),
    ),
    loop(
      () => 1_000,
      () => checkBounds(world, peaks),
    ),
    loop(
      () => 200 + owner.int(400),
      () => changeStreams(world, owner),
    ),
    loop(
      () => 300 + coins.int(600),
      () => checkCoins(world, coins),
    ),
    ...Array.from({ length: readers }, (_, i) => {
      const random = createRandom(world.seed + 31 * (round * readers + i + 1))
      return loop(
        () => random.int(60),
        () => readOnce(world, random),
      )
    }),
  ]
  const playing = playRound(
    world,
    plan.filter((planned) => planned.round === round),
    end.signal,
  )
  // A failed action or actor ends the run. Everything else must end before the world stops, as it would fail on the stopped world.
  playing.catch(() => end.abort())
  try {
    await Promise.all(actors)
  } finally {
    end.abort()
    await Promise.allSettled([...actors, playing])
  }
  return playing
}

async function checkQuiet(played: World, round: number, patienceMs: number): Promise<void> {
  const world = { ...played, client: retrying(played.client) }
  const { journal } = world
  journal.log('quiet: nothing happens any more')
  await Promise.all(
    world.processes.map((one) => one.untilReady(AbortSignal.timeout(patienceMs)).catch(() => undefined)),
  )
  await settleOwner(world, patienceMs)
  // A stream reads the history of an added address from final blocks, so the last change must become final.
  for (let i = 0; i <= finalityDepth; i++) world.chain.add()
  if (!(await awaitCollections(world, patienceMs))) return
  await checkCoverage(world)
  const random = createRandom(world.seed + 977 * (round + 1))
  await checkCollections(world, random)
  if (await awaitStreams(world, patienceMs)) await checkStreams(world)
  await awaitCoins(world, patienceMs)
  await checkCoins(world, random)
  await awaitMetadata(world, patienceMs)
  journal.log(`quiet point ${round + 1} is checked: block ${world.chain.head().number}`)
}

/** Maximum duration of a world with a planted bug, in milliseconds. */
const plantedMs = 6 * roundMs
/** A check reports missing data only after this time. Ranks alone take a minute. */
const plantedPatienceMs = 90_000

/**
 * Runs a world for each bug of the list, planted in a copy of the product's code. Returns the names of the bugs that no check found.
 * `named`: runs only bugs whose names contain it.
 */
export async function findPlants(
  options: Pick<SimulateOptions, 'seed' | 'report'> & { named?: string },
): Promise<string[]> {
  const { seed, report = () => undefined, named = '' } = options
  const unfound: string[] = []
  for (const plant of plants.filter(({ name }) => name.includes(named))) {
    const planted = plantFault(plant)
    try {
      const { wallets = 'indexed' as const } = plant
      const size = { ...worldSize, processes: { api: 1, sync: 1, deliver: 1 }, wallets, main: planted.main }
      const { faults, lines } = await simulate({ seed, ms: plantedMs, size, patienceMs: plantedPatienceMs })
      const found = faults.find(({ invariant, text }) => plant.breaks.test(`${invariant}: ${text}`))
      report(`${plant.name}: ${found ? `${found.invariant}: ${found.text}` : 'not found'}`.slice(0, 300))
      if (!found) for (const line of lines) report(`  ${line.slice(0, 300)}`)
      if (!found) unfound.push(plant.name)
    } finally {
      planted.remove()
    }
  }
  return unfound
}

/** Causes every failure of the list in a quiet world, and returns the names of those that no check found. */
export async function sabotage(options: Pick<SimulateOptions, 'seed' | 'size' | 'report'>): Promise<string[]> {
  const { seed, size = worldSize, report = () => undefined } = options
  const journal = createJournal(report)
  const world = await startWorld(seed, size, journal)
  const unfound: string[] = []
  try {
    await runRound(world, [], { round: 0, ms: 8_000 }, new Map())
    // The random streams may have too few ordered webhooks. This one gets all logs of the blocks that follow.
    const everything = { isEvery: true, topics: undefined, hasHistory: false, confirmedOnly: false } as const
    await createStream(world, createRandom(seed), { ...everything, delivery: 'ordered' })
    await checkQuiet(world, 0, usualPatienceMs)
    if (journal.faults.length > 0) throw new Error('the world did not hold before anything was broken')
    for (const { name, breaks, do: harm, check } of sabotages) {
      const before = journal.faults.length
      journal.log(`broken on purpose: ${name}`)
      await harm(world)
      await check(world)
      const found = journal.faults.slice(before).some(({ invariant, text }) => breaks.test(`${invariant}: ${text}`))
      if (!found) unfound.push(name)
    }
  } finally {
    await world.stop()
  }
  return unfound
}
