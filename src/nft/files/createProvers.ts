import { TooManyRequestsError, UnavailableError } from '../../util/errors.ts'
import type { Hex } from '../../util/hex.ts'
import type { MadeFile, SnapshotFacts } from '../fileQuery.ts'
import type { HoldingProof, RequestedProof } from './createProver.ts'
import type { ProofWorkerInput, ProofWorkerMessage } from './proofWorker.ts'
import { startThread } from './thread.ts'

/** Proves holdings from the CSV files of snapshots. The trees of the last ones are kept, as a page of an airdrop requests a proof for each holder. */
export type Provers = {
  /**
   * Opens or discards the file. undefined: the snapshot does not have the holding. Throws TooManyRequestsError if too many other trees are being built.
   */
  prove(file: MadeFile<SnapshotFacts>, requested: RequestedProof): Promise<HoldingProof | undefined>
  /** Ends all threads, after the signal. */
  close(): Promise<void>
}

export type ProversOptions = {
  /** Stops building. */
  signal: AbortSignal
  /** How long a tree is kept after the last proof from it. */
  keptMs?: number
  /** Most memory of kept trees, in bytes. A larger tree serves only one request. */
  keptBytes?: number
}

/** Trees that a process builds in parallel, each in a thread, and Retry-After beyond that. */
const mostBuilding = 2
const retryAfterSeconds = 2

/** Memory of a tree besides the rows: two hashes of 32 bytes per leaf. */
const bytesPerLeaf = 64

/** Most kept trees. */
const mostKept = 2

/** A thread with the tree of a snapshot, or one that builds it. It proves one holding after another. */
type Tree = {
  bytes: number
  prove(requested: RequestedProof): Promise<HoldingProof | undefined>
  /** Resolves when the thread has ended, for any reason. */
  ended: Promise<void>
  /** Ends the thread after the requested proofs. */
  end(): void
  timer?: NodeJS.Timeout
}

export function createProvers({ signal, keptMs = 60_000, keptBytes = 134_217_728 }: ProversOptions): Provers {
  /** By root, which identifies the content of a snapshot. Least recently used first. */
  const kept = new Map<Hex, Tree>()
  const running = new Set<Tree>()
  let building = 0

  function open(file: MadeFile<SnapshotFacts>, input: ProofWorkerInput): Tree {
    const thread = startThread<ProofWorkerMessage, HoldingProof | null>('proofWorker', input)
    async function build(): Promise<void> {
      for await (const lines of wholeLines(file.open())) {
        if (signal.aborted) throw new UnavailableError('the server is stopping; retry')
        await thread.send({ lines })
      }
    }
    // The thread answers one message at a time.
    let last: Promise<unknown> = build()
    const built = last
    const settled = () => last.catch(() => undefined)
    const tree: Tree = {
      bytes: file.bytes + bytesPerLeaf * file.facts.holders,
      prove(requested) {
        const answer = settled()
          .then(() => built)
          .then(() => thread.send({ requested }))
        last = answer
        return answer.then((proof) => proof ?? undefined)
      },
      ended: thread.ended,
      end: () => void settled().then(thread.end),
    }
    running.add(tree)
    void thread.ended.then(() => running.delete(tree))
    return tree
  }

  function drop(root: Hex, tree: Tree): void {
    clearTimeout(tree.timer)
    if (kept.get(root) === tree) kept.delete(root)
    tree.end()
  }

  /** Makes the tree the last used one. */
  function keep(root: Hex, tree: Tree): void {
    kept.delete(root)
    const bytes = () => [...kept.values()].reduce((sum, other) => sum + other.bytes, tree.bytes)
    for (const [otherRoot, other] of kept) if (kept.size >= mostKept || bytes() > keptBytes) drop(otherRoot, other)
    kept.set(root, tree)
  }

  /** Proves a holding from a new tree, which is kept unless it is too large. */
  async function proveByNew(file: MadeFile<SnapshotFacts>, root: Hex, requested: RequestedProof) {
    const isKept = file.bytes + bytesPerLeaf * file.facts.holders <= keptBytes
    building++
    const tree = open(file, isKept ? null : requested)
    try {
      if (!isKept) return await tree.prove(requested)
      keep(root, tree)
      void tree.ended.then(() => drop(root, tree))
      return await proveByKept(root, tree, requested)
    } catch (error) {
      // Other callers get the error, too. The next request builds the tree again.
      drop(root, tree)
      throw error
    } finally {
      building--
      if (!isKept) tree.end()
    }
  }

  async function proveByKept(root: Hex, tree: Tree, requested: RequestedProof) {
    clearTimeout(tree.timer)
    try {
      return await tree.prove(requested)
    } finally {
      clearTimeout(tree.timer)
      if (kept.get(root) === tree) tree.timer = setTimeout(() => drop(root, tree), keptMs).unref()
    }
  }

  return {
    async prove(file, requested) {
      const { root } = file.facts
      const tree = root === null ? undefined : kept.get(root)
      if (root !== null && !tree && building < mostBuilding && !signal.aborted) return proveByNew(file, root, requested)
      file.discard()
      if (root === null) return undefined
      if (tree) {
        keep(root, tree)
        return proveByKept(root, tree, requested)
      }
      if (signal.aborted) throw new UnavailableError('the server is stopping; retry')
      throw new TooManyRequestsError(
        `proofs from ${building} other snapshots are being created, the maximum; retry in ${retryAfterSeconds} s`,
        { retryAfterSeconds },
      )
    },
    async close() {
      for (const [root, tree] of kept) drop(root, tree)
      await Promise.all([...running].map(({ ended }) => ended))
    },
  }
}

/** The bytes of a text in chunks that end at line ends. */
async function* wholeLines(bytes: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of bytes) {
    // Digits, hex and commas: one byte per character.
    const text = rest + Buffer.from(chunk).toString('latin1')
    const end = text.lastIndexOf('\n') + 1
    rest = text.slice(end)
    if (end > 0) yield text.slice(0, end)
  }
  if (rest !== '') yield rest
}
