import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/database.ts'
import {
  addressOf,
  type Block,
  createDiscovery,
  keepDays,
  logs,
  type Row,
  readRows,
  step,
  tokensIn,
} from '../../../test/discoverySteps.ts'
import { createRandom, freshSeed, type Random } from '../../../test/random.ts'
import type { Address } from '../../util/hex.ts'

const day = 86_400
const hour = 3_600

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

function randomBlock(random: Random, number: bigint, time: number, contracts: readonly Address[]): Block {
  const block: Block = { number, time, logs: [], moved: [] }
  for (let i = random.int(4); i > 0; i--) {
    const kind = random.pick(Object.keys(logs) as (keyof typeof logs)[])
    const address = random.pick(contracts)
    const from = random.int(2)
    block.logs.push(logs[kind](address, from))
    const transfers = tokensIn[kind]
    if (transfers > 0) block.moved.push({ address, transfers, mints: from === 0 ? transfers : 0 })
  }
  return block
}

/** A contract's transfers in a block. `isPast`: the hour of the block is no longer counted. */
type Seen = { number: bigint; time: number; transfers: number; mints: number; isPast: boolean }

/** The expected contents of the tables. */
function createModel() {
  const seen = new Map<Address, Seen[]>()
  let forgottenAt: number | undefined
  return {
    restart() {
      forgottenAt = undefined
    },
    revert(fork: bigint) {
      for (const [address, list] of seen) {
        const kept = list.filter(({ number }) => number <= fork)
        if (kept.length > 0) seen.set(address, kept)
        else seen.delete(address)
      }
    },
    apply({ number, time, moved }: Block) {
      for (const { address, transfers, mints } of moved) {
        const list = seen.get(address) ?? []
        seen.set(address, list)
        const last = list.at(-1)
        if (last?.number === number)
          Object.assign(last, { transfers: last.transfers + transfers, mints: last.mints + mints })
        else list.push({ number, time, transfers, mints, isPast: false })
      }
    },
    end(time: number) {
      const now = Math.floor(time / hour)
      if (now === forgottenAt) return
      forgottenAt = now
      for (const [address, list] of seen) {
        for (const one of list) if (Math.floor(one.time / hour) <= now - 24) one.isPast = true
        if (list.length === 1 && list[0]!.time < time - keepDays * day) seen.delete(address)
      }
    },
    rows(): Row[] {
      return [...seen]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([address, list]) => {
          const sum = (of: 'transfers' | 'mints') => list.reduce((total, one) => total + (one.isPast ? 0 : one[of]), 0)
          const [first] = list as [Seen]
          return [
            ...([address, first.number, BigInt(first.time), BigInt(list.length)] as const),
            ...([BigInt(sum('transfers')), BigInt(sum('mints'))] as const),
          ]
        })
    },
  }
}

test('behavior: discovered contracts and their daily counts match the chain through reorgs, lost steps and pruning', async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  const contracts = Array.from({ length: 12 }, (_, i) => addressOf(i + 1))
  let handler = createDiscovery(database.db)
  const model = createModel()
  let head = { number: 100n, time: 1_700_000_000 }
  const chain = [head]
  let finalized = 100n
  for (let i = 0; i < 80; i++) {
    const reverted = random.chance(0.25) && head.number > finalized
    const fork = reverted ? head.number - 1n - BigInt(random.int(Number(head.number - finalized))) : head.number
    if (reverted) chain.length = Number(fork - 99n)
    head = chain.at(-1)!
    const blocks = Array.from({ length: random.int(4) + (reverted ? 0 : 1) }, () => {
      head = { number: head.number + 1n, time: head.time + random.pick([12, 12, 600, 4 * hour, 30 * hour]) }
      chain.push(head)
      return randomBlock(random, head.number, head.time, contracts)
    })
    if (random.chance(0.5)) finalized += BigInt(random.int(Number(fork - finalized) + 1))
    const taken = { fork, blocks, finalized, reverted }
    // The process was killed, or another process follows the chain now.
    if (random.chance(0.2)) await step(database.db, handler, { ...taken, isLost: true })
    if (random.chance(0.1)) {
      handler = createDiscovery(database.db)
      model.restart()
    }
    await step(database.db, handler, taken)
    if (reverted) model.revert(fork)
    for (const block of blocks) model.apply(block)
    if (blocks.length > 0) model.end(head.time)
    const rows = model.rows()
    const stored = await readRows(database.db)
    expect(stored.rows, `step ${i}`).toEqual(rows)
    expect(stored.hours).toEqual(rows.map(([address, , , , transfers, mints]) => [address, transfers, mints]))
    expect(stored.known).toEqual(rows.map(([address]) => address))
  }
})
