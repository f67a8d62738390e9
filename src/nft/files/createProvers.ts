import { TooManyRequestsError, UnavailableError } from '../../util/errors.ts'
import type { Hex } from '../../util/hex.ts'
import { unlessAborted } from '../../util/wait.ts'
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
  /** Ends all threads, after the signal. Pending proofs fail with UnavailableError, as a large tree takes seconds. */
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

/** Most kept trees without pending proofs. */
const mostKept = 2

/** A thread with the tree of a snapshot, or one that builds it. It proves one holding after another. */
type Tree = {
  bytes: number
  /** Requested proofs without an answer. The first one includes building. */
  pending: number
  prove(requested: RequestedProof): Promise<HoldingProof | undefined>
  /** Resolves when the thread has ended, for any reason. */
  ended: Promise<void>
  /** Ends the thread after the requested proofs. */
  end(): void
  /** Ends the thread without waiting for these. */
  stop(): Promise<void>
  timer?: NodeJS.Timeout
}

export function createProvers({ signal, keptMs = 60_000, keptBytes = 134_217_728 }: ProversOptions): Provers {
  /** By root, which identifies the content of a snapshot. Least recently used first. */
  const kept = new Map<Hex, Tree>()
  const running = new Set<Tree>()
  const closing = new AbortController()
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
      pending: 0,
      async prove(requested) {
        const answer = settled()
          .then(() => built)
          .then(() => thread.send({ requested }))
        last = answer
        tree.pending++
        try {
          return (await unlessAborted(answer, closing.signal)) ?? undefined
        } finally {
          tree.pending--
        }
      },
      ended: thread.ended,
      end: () => void settled().then(thread.end),
      stop: thread.stop,
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

  /** Drops the least recently used trees above the limits. A tree with pending proofs stays: its users would build it again. */
  function dropUnused(): void {
    const isOver = () =>
      kept.size > mostKept || [...kept.values()].reduce((sum, { bytes }) => sum + bytes, 0) > keptBytes
    for (const [root, tree] of kept) if (tree.pending === 0 && isOver()) drop(root, tree)
  }

  /** Proves a holding from a new tree, which is kept unless it is too large. */
  async function proveByNew(file: MadeFile<SnapshotFacts>, root: Hex, requested: RequestedProof) {
    const isKept = file.bytes + bytesPerLeaf * file.facts.holders <= keptBytes
    let tree: Tree | undefined
    building++
    try {
      tree = open(file, isKept ? null : requested)
      const opened = tree
      if (!isKept) return await opened.prove(requested)
      void opened.ended.then(() => drop(root, opened))
      return await proveByKept(root, opened, requested)
    } catch (error) {
      // Other callers get the error, too. The next request builds the tree again.
      if (tree) drop(root, tree)
      // No thread could be started.
      else file.discard()
      throw error
    } finally {
      building--
      if (!isKept) tree?.end()
    }
  }

  /** Proves a holding from a tree, which becomes the last used one. */
  async function proveByKept(root: Hex, tree: Tree, requested: RequestedProof) {
    clearTimeout(tree.timer)
    kept.delete(root)
    kept.set(root, tree)
    const proof = tree.prove(requested)
    dropUnused()
    try {
      return await proof
    } finally {
      if (kept.get(root) === tree && tree.pending === 0) tree.timer = setTimeout(() => drop(root, tree), keptMs).unref()
      dropUnused()
    }
  }

  return {
    async prove(file, requested) {
      const { root } = file.facts
      const tree = root === null ? undefined : kept.get(root)
      if (root !== null && !tree && building < mostBuilding && !signal.aborted) return proveByNew(file, root, requested)
      file.discard()
      if (root === null) return undefined
      if (tree) return proveByKept(root, tree, requested)
      if (signal.aborted) throw new UnavailableError('the server is stopping; retry')
      throw new TooManyRequestsError(
        `${building} other Merkle trees are being built, the maximum; retry in ${retryAfterSeconds} s`,
        { retryAfterSeconds },
      )
    },
    async close() {
      closing.abort(new UnavailableError('the server is stopping; retry'))
      for (const [root, tree] of kept) drop(root, tree)
      await Promise.all([...running].map((tree) => tree.stop()))
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
