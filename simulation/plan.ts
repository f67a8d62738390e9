import { createRandom, type Random } from '../test/random.ts'

/** An action on a world. Times are milliseconds, and places count from 0. */
export type Deed =
  /** `depth`: number of removed blocks that the service had followed. */
  | { kind: 'reorganise'; depth: number }
  | { kind: 'flip' }
  | { kind: 'holdNode'; node: number; ms: number }
  | { kind: 'lyingNodes'; ms: number }
  | { kind: 'rejectingNode'; node: number; ms: number }
  | { kind: 'nodesUnreachable'; ms: number }
  | { kind: 'killProcess'; process: number; signal: 'SIGKILL' | 'SIGTERM'; ms: number }
  | { kind: 'freezeProcess'; process: number; ms: number }
  | { kind: 'cutConnections'; all: boolean }
  | { kind: 'killDatabase'; what: 'backend' | 'postmaster' }
  | { kind: 'fillDisk'; ms: number }
  | { kind: 'stopWorker'; worker: number; ms: number }
  | { kind: 'badReceivers'; ms: number }
  | { kind: 'badHosts'; ms: number }
  | { kind: 'stutter'; ms: number }

/** An action of the plan. `number` counts over all rounds, and `at` is the time since the start of its round. */
export type Planned = { number: number; round: number; at: number; deed: Deed }

/** Numbers of processes, nodes of the chain and workers of a cluster. */
type Size = { processes: number; nodes: number; workers: number }
type Draws = readonly [weight: number, draw: (random: Random, size: Size) => Deed][]

/** How often each kind is drawn, and with which values. */
const usual: Draws = [
  [6, (r) => ({ kind: 'reorganise', depth: 1 + r.int(10) })],
  [2, () => ({ kind: 'flip' })],
  [2, (r, { nodes }) => ({ kind: 'holdNode', node: r.int(nodes), ms: 500 + r.int(4_000) })],
  [2, (r) => ({ kind: 'lyingNodes', ms: 1_000 + r.int(4_000) })],
  [2, (r, { nodes }) => ({ kind: 'rejectingNode', node: r.int(nodes), ms: 500 + r.int(3_000) })],
  [1, (r) => ({ kind: 'nodesUnreachable', ms: 500 + r.int(3_000) })],
  [
    4,
    (r, { processes }) => ({
      ...{ kind: 'killProcess', process: r.int(processes), ms: r.int(2_000) },
      signal: r.chance(0.7) ? 'SIGKILL' : 'SIGTERM',
    }),
  ],
  [2, (r, { processes }) => ({ kind: 'freezeProcess', process: r.int(processes), ms: 500 + r.int(8_000) })],
  [2, (r) => ({ kind: 'cutConnections', all: r.chance(0.3) })],
  [1, (r) => ({ kind: 'killDatabase', what: r.pick(['backend', 'postmaster']) })],
  [1, (r) => ({ kind: 'fillDisk', ms: 500 + r.int(3_000) })],
  [2, (r) => ({ kind: 'badReceivers', ms: 1_000 + r.int(4_000) })],
  [1, (r) => ({ kind: 'badHosts', ms: 1_000 + r.int(4_000) })],
  [2, (r) => ({ kind: 'stutter', ms: 1_000 + r.int(4_000) })],
]

/** Additional kinds on a cluster. */
const ofCluster: Draws = [
  [3, (r, { workers }) => ({ kind: 'stopWorker', worker: 1 + r.int(workers), ms: 300 + r.int(5_000) })],
]

/** Draws the actions of a seed: one about every 900 ms, in `rounds` rounds of `roundMs`. A quiet point follows each round. */
export function drawPlan(seed: number, size: Size & { rounds: number; roundMs: number }): Planned[] {
  const random = createRandom(seed)
  const draws = size.workers > 0 ? [...usual, ...ofCluster] : usual
  const sum = draws.reduce((all, [weight]) => all + weight, 0)
  const plan: Planned[] = []
  for (let round = 0; round < size.rounds; round++)
    for (let at = random.int(1_200); at < size.roundMs; at += 200 + random.int(1_400)) {
      let remaining = random.int(sum)
      const [, draw] = draws.find(([weight]) => {
        remaining -= weight
        return remaining < 0
      })!
      plan.push({ number: plan.length, round, at, deed: draw(random, size) })
    }
  return plan
}
