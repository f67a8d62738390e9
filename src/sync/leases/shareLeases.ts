/** A lease of one kind; `worker` null: no process holds it. */
export type LeaseRow = { key: bigint; worker: number | null }

/** A living worker with the keys of that kind that it is able to take. */
export type AbleWorker = { id: number; takes(key: bigint): boolean }

/**
 * What a worker takes and gives back so that all have their share: of each key the part that falls to one of those who are able to
 * take it, rounded up. `abandoned`: keys that stayed free for so long that any worker that is able takes them, beyond its share too. A
 * worker above its share gives back only what another below its own is able to take, so no lease is given back without a taker.
 */
export function shareLeases(options: {
  self: number
  leases: readonly LeaseRow[]
  workers: readonly AbleWorker[]
  abandoned: ReadonlySet<bigint>
}): { take: bigint[]; giveBack: bigint[] } {
  const { self, leases, workers, abandoned } = options
  const rooms = new Map(workers.map(({ id }) => [id, 0]))
  const free: { key: bigint; able: number }[] = []
  const own: { key: bigint; able: readonly AbleWorker[] }[] = []
  for (const { key, worker } of leases) {
    const able = workers.filter(({ takes }) => takes(key))
    for (const { id } of able) rooms.set(id, rooms.get(id)! + 1 / able.length)
    if (worker === null && able.some(({ id }) => id === self)) free.push({ key, able: able.length })
    if (worker === self) own.push({ key, able })
  }
  // Thirds of whole numbers add up to a hair more than they should.
  for (const [id, share] of rooms) rooms.set(id, Math.ceil(share - 1e-6))
  for (const { worker } of leases) if (worker !== null && rooms.has(worker)) rooms.set(worker, rooms.get(worker)! - 1)

  const room = rooms.get(self) ?? 0
  const take = free
    .sort((a, b) => Number(abandoned.has(b.key)) - Number(abandoned.has(a.key)) || a.able - b.able)
    .filter(({ key }, place) => place < room || abandoned.has(key))
    .map(({ key }) => key)

  const giveBack: bigint[] = []
  for (const { key, able } of own.toReversed()) {
    if (giveBack.length >= -room) break
    const heir = able.find(({ id }) => id !== self && rooms.get(id)! > 0)
    if (!heir) continue
    rooms.set(heir.id, rooms.get(heir.id)! - 1)
    giveBack.push(key)
  }
  return { take, giveBack }
}
