import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type LeaseRow, shareLeases } from './shareLeases.ts'

const workersOf = (abilities: readonly (readonly number[])[]) =>
  abilities.map((keys, id) => ({ id, takes: (key: bigint) => keys.includes(Number(key)) }))

/** Lets the workers act one after another, in rounds, until none has anything to do. */
function settle(abilities: readonly (readonly number[])[], keys: number): LeaseRow[] {
  const workers = workersOf(abilities)
  const leases: LeaseRow[] = Array.from({ length: keys }, (_, key) => ({ key: BigInt(key), worker: null }))
  let before = new Set<bigint>()
  for (let round = 0; round < 50; round++) {
    let idle = true
    const free = new Set(leases.filter(({ worker }) => worker === null).map(({ key }) => key))
    const abandoned = new Set([...free].filter((key) => before.has(key)))
    before = free
    for (const { id } of workers) {
      const { take, giveBack } = shareLeases({ self: id, leases, workers, abandoned })
      for (const lease of leases) {
        if (take.includes(lease.key) && lease.worker === null) lease.worker = id
        if (giveBack.includes(lease.key)) lease.worker = null
      }
      idle &&= take.length === 0 && giveBack.length === 0
    }
    if (idle && abandoned.size === free.size) return leases
  }
  throw new Error('the workers do not come to rest')
}

test('behavior: every lease that some worker can take is held by one of them, and leases stop moving', () => {
  const abilities = fc.array(fc.uniqueArray(fc.nat(9)), { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(abilities, (able) => {
      for (const { key, worker } of settle(able, 10)) {
        const takers = able.flatMap((keys, id) => (keys.includes(Number(key)) ? [id] : []))
        if (takers.length === 0) expect(worker).toBe(null)
        else expect(takers).toContain(worker)
      }
    }),
  )
})

test('default: workers that can take every lease have equal shares', () => {
  const everything = Array.from({ length: 16 }, (_, key) => key)
  const leases = settle([everything, everything, everything], 16)
  const held = [0, 1, 2].map((id) => leases.filter(({ worker }) => worker === id).length)
  expect(held.sort()).toEqual([4, 6, 6])
})

test('behavior: the only worker that can take a lease keeps it, while the others share the rest', () => {
  expect(settle([[0, 1, 2], [0], [0]], 3).map(({ worker }) => worker)).toEqual([0, 0, 0])
  const leases: LeaseRow[] = [0n, 1n, 2n].map((key) => ({ key, worker: 0 }))
  const workers = workersOf([
    [0, 1, 2],
    [0, 1],
  ])
  expect(shareLeases({ self: 0, leases, workers, abandoned: new Set() })).toEqual({ take: [], giveBack: [1n] })
})
