import type { Worker } from 'node:worker_threads'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Address, Hex } from '../../util/hex.ts'
import type { MadeFile, SnapshotFacts } from '../fileQuery.ts'
import { createProvers, type ProversOptions } from './createProvers.ts'

type Row = [tokenId: string, owner: Address, amount: string]

const running = new Set<Worker>()
const noteWorker = (worker: Worker) => {
  running.add(worker)
  worker.once('exit', () => running.delete(worker))
}
process.on('worker', noteWorker)

const owner = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const rowsOf = (first: number, count: number) => Array.from({ length: count }, (_, i): Row => row(first + i))
const row = (n: number): Row => [String(n * n), owner(n % 7), String(1 + (n % 3))]

/** The file of a snapshot, in chunks that end anywhere. `opened` counts how often its rows were read. */
function snapshotOf(rows: readonly Row[], root?: Hex) {
  const tree = rows.length === 0 ? undefined : StandardMerkleTree.of(leavesOf(rows), ['address', 'uint256', 'uint256'])
  const bytes = Buffer.from(`token_id,owner_of,amount\n${rows.map((values) => `${values.join()}\n`).join('')}`)
  const count = { opened: 0, discarded: 0 }
  const facts: SnapshotFacts = { standard: 'ERC721', holders: rows.length, root: root ?? (tree?.root as Hex) ?? null }
  const file = (): MadeFile<SnapshotFacts> => ({
    facts,
    bytes: bytes.length,
    open() {
      count.opened++
      const parts = Array.from({ length: Math.ceil(bytes.length / 100) }, (_, i) =>
        bytes.subarray(i * 100, (i + 1) * 100),
      )
      return ReadableStream.from(parts)
    },
    discard: () => void count.discarded++,
  })
  return { file, count, tree, rows }
}

const leavesOf = (rows: readonly Row[]) => rows.map(([tokenId, holder, amount]) => [holder, tokenId, amount])

type Snapshot = ReturnType<typeof snapshotOf>

/** The snapshot, whose rows can be read after `until`. */
function readableAfter(until: Promise<void>, snapshot: Snapshot): Snapshot {
  async function* rowsAfter(bytes: ReadableStream<Uint8Array>) {
    await until
    yield* bytes
  }
  const file = () => {
    const made = snapshot.file()
    return { ...made, open: () => ReadableStream.from(rowsAfter(made.open())) as ReturnType<typeof made.open> }
  }
  return { ...snapshot, file }
}

/** The proof of the published package for a row. */
function published({ tree, rows }: Snapshot, [tokenId, holder, amount]: Row) {
  const place = rows.findIndex(([id, of]) => id === tokenId && of === holder)
  const [leaf, proof] = [tree!.leafHash(leavesOf(rows)[place] as string[]), tree!.getProof(place)]
  const tokenIds = rows.filter(([, of]) => of === holder).map(([id]) => id)
  return { root: tree!.root, leaf, proof, owner: holder, tokenId, amount, tokenIds }
}

function open(options: Partial<ProversOptions> = {}) {
  const provers = createProvers({ signal: new AbortController().signal, ...options })
  onTestFinished(async () => {
    await provers.close()
    expect(running.size).toBe(0)
  })
  const proveRow = ({ file }: Snapshot, [tokenId, holder]: Row) =>
    provers.prove(file(), { owner: holder, tokenId: BigInt(tokenId) })
  return { provers, proveRow }
}

test('default: all proofs of a snapshot are those of the published package, and its rows are read once', async () => {
  const { provers, proveRow } = open()
  const snapshot = snapshotOf(rowsOf(1, 40))
  const together = await Promise.all(snapshot.rows.map((values) => proveRow(snapshot, values)))
  expect(together).toEqual(snapshot.rows.map((values) => published(snapshot, values)))
  const later = await proveRow(snapshot, snapshot.rows[3]!)
  expect(later).toEqual(together[3])
  const firstOf = await provers.prove(snapshot.file(), { owner: owner(4), tokenId: null })
  expect(firstOf).toEqual(together[3])
  expect(await provers.prove(snapshot.file(), { owner: owner(4), tokenId: 7n })).toBeUndefined()
  expect(await provers.prove(snapshot.file(), { owner: owner(9), tokenId: null })).toBeUndefined()
  expect(snapshot.count).toEqual({ opened: 1, discarded: 43 })
  expect(running.size).toBe(1)
})

test('behavior: a tree above the limit of memory proves the same, and is not kept', async () => {
  const { provers, proveRow } = open({ keptBytes: 1_000 })
  const snapshot = snapshotOf(rowsOf(1, 40))
  for (const place of [0, 39])
    expect(await proveRow(snapshot, snapshot.rows[place]!)).toEqual(published(snapshot, snapshot.rows[place]!))
  expect(await provers.prove(snapshot.file(), { owner: owner(1), tokenId: null })).toEqual(
    published(snapshot, snapshot.rows[0]!),
  )
  expect(await provers.prove(snapshot.file(), { owner: owner(9), tokenId: null })).toBeUndefined()
  expect(snapshot.count).toEqual({ opened: 4, discarded: 0 })
  await vi.waitUntil(() => running.size === 0)
})

test.each([
  ['more than two snapshots', {}, [1, 0, 0]],
  ['more bytes than the limit', { keptBytes: 8_000 }, [1, 1, 0]],
] as const)('behavior: with %s, the trees that were used last are kept', async (_, options, again) => {
  const { proveRow } = open(options)
  const snapshots = [1, 101, 201].map((first) => snapshotOf(rowsOf(first, 50)))
  for (const snapshot of snapshots) await proveRow(snapshot, snapshot.rows[0]!)
  await vi.waitUntil(() => running.size === again.filter((builds) => builds === 0).length)
  for (const snapshot of [...snapshots].reverse()) await proveRow(snapshot, snapshot.rows[1]!)
  expect(snapshots.map(({ count }) => count.opened - 1)).toEqual(again)
})

test.each([
  ['more than two snapshots', {}],
  ['more bytes than the limit', { keptBytes: 8_000 }],
])('behavior: with %s, a tree that is being built stays', async (_, options) => {
  const { proveRow } = open(options)
  const { promise, resolve: release } = Promise.withResolvers<void>()
  const finished = snapshotOf(rowsOf(1, 50))
  const snapshots = [101, 201].map((first) => readableAfter(promise, snapshotOf(rowsOf(first, 50))))
  const proofs: ReturnType<typeof proveRow>[] = []
  for (const snapshot of snapshots) {
    await proveRow(finished, finished.rows[0]!)
    proofs.push(proveRow(snapshot, snapshot.rows[0]!))
  }
  for (const snapshot of snapshots) proofs.push(proveRow(snapshot, snapshot.rows[1]!))
  release()
  const proved = [0, 1].flatMap((place) => snapshots.map((snapshot) => published(snapshot, snapshot.rows[place]!)))
  expect(await Promise.all(proofs)).toEqual(proved)
  expect(snapshots.map(({ count }) => count.opened)).toEqual([1, 1])
  // Then the limits hold again.
  await vi.waitUntil(() => running.size === ('keptBytes' in options ? 1 : 2))
})

test('behavior: an unused tree is dropped, and the next request builds it again', async () => {
  const { proveRow } = open({ keptMs: 1 })
  const snapshot = snapshotOf(rowsOf(1, 10))
  await proveRow(snapshot, snapshot.rows[0]!)
  await vi.waitUntil(() => running.size === 0)
  expect(await proveRow(snapshot, snapshot.rows[0]!)).toEqual(published(snapshot, snapshot.rows[0]!))
  expect(snapshot.count.opened).toBe(2)
})

test('behavior: after the death of the thread, the next request builds the tree again', async () => {
  const { proveRow } = open()
  const snapshot = snapshotOf(rowsOf(1, 10))
  await proveRow(snapshot, snapshot.rows[0]!)
  for (const worker of running) void worker.terminate()
  await vi.waitUntil(() => running.size === 0)
  expect(await proveRow(snapshot, snapshot.rows[0]!)).toEqual(published(snapshot, snapshot.rows[0]!))
  expect(snapshot.count.opened).toBe(2)
})

test('error: only two trees are built at once, but proofs from these are not limited', async () => {
  const { proveRow } = open()
  const [a, b, c] = [1, 101, 201].map((first) => snapshotOf(rowsOf(first, 10))) as [Snapshot, Snapshot, Snapshot]
  const proofs = [a, b, a, b, a].map((snapshot) => proveRow(snapshot, snapshot.rows[0]!))
  await expect(proveRow(c, c.rows[0]!)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(c.count).toEqual({ opened: 0, discarded: 1 })
  expect((await Promise.all(proofs)).every((proof) => proof)).toBe(true)
  expect(await proveRow(c, c.rows[0]!)).toEqual(published(c, c.rows[0]!))
})

test('error: a tree that cannot be built fails each request for it, and is not kept', async () => {
  const { provers, proveRow } = open()
  const tooLarge = snapshotOf([], `0x${'12'.repeat(32)}`)
  const text = `token_id,owner_of,amount\n1,${owner(1)},${2n ** 256n}\n`
  const file = () => ({ ...tooLarge.file(), open: () => new Blob([text]).stream() })
  const requested = { owner: owner(1), tokenId: 1n }
  const both = [provers.prove(file(), requested), provers.prove(file(), requested)]
  for (const proof of both) await expect(proof).rejects.toThrow('no leaf of a Merkle tree can hold the amount')
  await vi.waitUntil(() => running.size === 0)
  const snapshot = snapshotOf(rowsOf(1, 2))
  expect(await proveRow(snapshot, snapshot.rows[0]!)).toEqual(published(snapshot, snapshot.rows[0]!))
})

test('error: where no thread can start, the file is discarded, and later trees are built', async () => {
  const { provers, proveRow } = open({ keptBytes: 1_000 })
  const snapshot = snapshotOf(rowsOf(1, 40))
  // A function cannot be sent to a thread.
  const unsendable = { owner: owner(1), tokenId: 1n, toJSON: () => '' }
  for (const _ of [1, 2, 3])
    await expect(provers.prove(snapshot.file(), unsendable)).rejects.toMatchObject({ name: 'DataCloneError' })
  expect(snapshot.count).toEqual({ opened: 0, discarded: 3 })
  expect(await proveRow(snapshot, snapshot.rows[0]!)).toEqual(published(snapshot, snapshot.rows[0]!))
})

test('behavior: a snapshot without holders has no proof, and starts no thread', async () => {
  const { provers } = open()
  const empty = snapshotOf([])
  expect(await provers.prove(empty.file(), { owner: owner(1), tokenId: null })).toBeUndefined()
  expect(empty.count).toEqual({ opened: 0, discarded: 1 })
  expect(running.size).toBe(0)
})

test('behavior: closing ends kept threads, and those that are building', async () => {
  const stopping = new AbortController()
  const { provers, proveRow } = open({ signal: stopping.signal })
  const [kept, built] = [1, 101].map((first) => snapshotOf(rowsOf(first, 10))) as [Snapshot, Snapshot]
  await proveRow(kept, kept.rows[0]!)
  const proof = proveRow(built, built.rows[0]!)
  stopping.abort()
  const failed = expect(proof).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await provers.close()
  expect(running.size).toBe(0)
  await failed
  await expect(proveRow(kept, kept.rows[0]!)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
})

test('behavior: closing does not wait for trees whose rows never end', async () => {
  const stopping = new AbortController()
  const { provers, proveRow } = open({ signal: stopping.signal })
  const snapshot = readableAfter(new Promise(() => undefined), snapshotOf(rowsOf(1, 10)))
  const failed = [0, 1].map((place) =>
    expect(proveRow(snapshot, snapshot.rows[place]!)).rejects.toMatchObject({ code: 'UNAVAILABLE' }),
  )
  stopping.abort()
  await provers.close()
  expect(running.size).toBe(0)
  await Promise.all(failed)
})
