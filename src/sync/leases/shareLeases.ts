/**
 * `partition`: writing the contracts of a partition; the chain also decides which process queries nodes for them (`served.ts`). `chain`: following a
 * chain's head. `aptos`: reading a coin network. `delivery`: sending the webhooks of a partition's streams.
 */
export type LeaseKind = 'partition' | 'chain' | 'aptos' | 'delivery'

/** A lease of one kind; `worker` null: no process holds it. */
export type LeaseRow = { key: bigint; worker: number | null }

/** A running worker with the keys of one kind that it can take. */
export type AbleWorker = { id: number; takes(key: bigint): boolean }

/**
 * The leases that a worker takes and releases, so that each worker has its share. Each key counts for each worker that can take it as 1 divided by
 * the number of these workers; a share is the rounded-up sum. `abandoned`: keys that were free for so long that any able worker takes them, even
 * beyond its share. A worker above its share releases only leases that a worker below its share can take.
 */
export function shareLeases(options: {
  self: number
  leases: readonly LeaseRow[]
  workers: readonly AbleWorker[]
  abandoned: ReadonlySet<bigint>
}): { take: bigint[]; giveBack: bigint[] } {
  const { self, leases, workers, abandoned } = options
  const capacities = new Map(workers.map(({ id }) => [id, 0]))
  const free: { key: bigint; able: number }[] = []
  const own: { key: bigint; able: readonly AbleWorker[] }[] = []
  for (const { key, worker } of leases) {
    const able = workers.filter(({ takes }) => takes(key))
    for (const { id } of able) capacities.set(id, capacities.get(id)! + 1 / able.length)
    if (worker === null && able.some(({ id }) => id === self)) free.push({ key, able: able.length })
    if (worker === self) own.push({ key, able })
  }
  // Sums of fractions such as 1/3 may slightly exceed the whole number.
  for (const [id, share] of capacities) capacities.set(id, Math.ceil(share - 1e-6))
  for (const { worker } of leases)
    if (worker !== null && capacities.has(worker)) capacities.set(worker, capacities.get(worker)! - 1)

  const capacity = capacities.get(self) ?? 0
  const take = free
    .sort((a, b) => Number(abandoned.has(b.key)) - Number(abandoned.has(a.key)) || a.able - b.able)
    .filter(({ key }, place) => place < capacity || abandoned.has(key))
    .map(({ key }) => key)

  const giveBack: bigint[] = []
  for (const { key, able } of own.toReversed()) {
    if (giveBack.length >= -capacity) break
    const heir = able.find(({ id }) => id !== self && capacities.get(id)! > 0)
    if (!heir) continue
    capacities.set(heir.id, capacities.get(heir.id)! - 1)
    giveBack.push(key)
  }
  return { take, giveBack }
}
