/**
 * `partition`: the right to write the contracts of a partition; which process queries nodes for them also depends on the chain (`served.ts`).
 * `chain`: the right to follow a chain's head. `aptos`: the right to read a network of coins. `delivery`: the right to send the webhooks of a
 * partition's streams.
 */
export type LeaseKind = 'partition' | 'chain' | 'aptos' | 'delivery'

/** A lease of one kind; `worker` null: no process holds it. */
export type LeaseRow = { key: bigint; worker: number | null }

/** A living worker with the keys of one kind that it is able to take. */
export type AbleWorker = { id: number; takes(key: bigint): boolean }

/**
 * The leases that a worker takes and gives back so that each worker has its share. Each key counts for each worker that is able to take
 * it as its part, 1 divided by the number of these workers; the share is the sum of the parts, rounded up. `abandoned`: keys that
 * were free for so long that any able worker takes them, beyond its share too. A worker above its share gives back only leases that
 * a worker below its share is able to take.
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
  // Sums of fractions such as 1/3 may be a little more than the whole number that they represent.
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
