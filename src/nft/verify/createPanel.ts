import { type StateReader, StateUnavailableError } from '../../chain/evm/contracts/stateReader.ts'
import { MintmarkError } from '../../util/errors.ts'
import type { Hex } from '../../util/hex.ts'
import type { RequestedNode } from './verification.ts'

/** The block's hash differs from the stored one, or has changed: the verification must restart. */
export class BlockMovedError extends MintmarkError {
  readonly code = 'BLOCK_MOVED'
  override readonly retryable = true
}

/** The stored data cannot be compared with these nodes. */
export class NotComparableError extends MintmarkError {
  readonly code = 'NOT_COMPARABLE'
}

/** A node's answer. */
export type Answer<T> = { node: string; value: T }

/** Each node's answer to item `i` of a query about several. */
export function answersAt<T>(answers: readonly Answer<readonly T[]>[], i: number): Answer<T>[] {
  return answers.map(({ node, value }) => ({ node, value: value[i] as T }))
}

/** The nodes of a chain at one block, each queried separately. A failing node is skipped while another one responds. */
export type Panel = {
  nodes: RequestedNode[]
  /** The block's hash, unchanged since the last call: all answers in between are of this block. Throws BlockMovedError. */
  anchor(): Promise<Hex>
  /** Sends the same query to all nodes; one answer per node. */
  request<T>(question: (reader: StateReader, signal: AbortSignal) => Promise<T>): Promise<Answer<T>[]>
}

export type PanelOptions = {
  readers: readonly StateReader[]
  block: bigint
  /** Stored hash of the block; undefined: none. */
  storedHash: Hex | undefined
  genesisHash: Hex
  signal: AbortSignal
}

export async function createPanel(options: PanelOptions): Promise<Panel> {
  const { readers, block, storedHash, genesisHash, signal } = options
  const nodes = readers.map(({ node }): RequestedNode => ({ node, failure: null }))
  const failures = new Map<StateReader, unknown>()
  const readerOf = (node: string) => readers.find((reader) => reader.node === node)!
  let hash = storedHash
  let anchored = false

  async function request<T>(question: (reader: StateReader, signal: AbortSignal) => Promise<T>): Promise<Answer<T>[]> {
    const requested = readers.filter((reader) => !failures.has(reader))
    const outcomes = await Promise.allSettled(requested.map((reader) => question(reader, signal)))
    signal.throwIfAborted()
    const answers: Answer<T>[] = []
    for (const [i, outcome] of outcomes.entries()) {
      const reader = requested[i]!
      if (outcome.status === 'fulfilled') answers.push({ node: reader.node, value: outcome.value })
      else skipNode(reader, outcome.reason)
    }
    if (answers.length === 0) throw worst([...failures.values()])
    return answers
  }

  function skipNode(reader: StateReader, reason: unknown): void {
    failures.set(reader, reason)
    const node = nodes[readers.indexOf(reader)]
    if (node) node.failure = messageOf(reason)
  }

  async function anchor(): Promise<Hex> {
    const answers = await request((reader, s) => reader.anchor(s))
    const expected = hash ?? answers[0]!.value.hash
    const moved = answers.filter((answer) => answer.value.hash !== expected)
    // After the first call, answers since then may be of either block, so none count.
    if (moved.length === answers.length || (anchored && moved.length > 0))
      throw new BlockMovedError(`block ${block} is ${moved[0]!.value.hash} at ${moved[0]!.node}, not ${expected}`)
    for (const { node, value } of moved)
      skipNode(readerOf(node), new BlockMovedError(`it has another block ${block}: ${value.hash}, not ${expected}`))
    const agreeing = answers.filter((answer) => answer.value.hash === expected)
    const without = agreeing.filter((answer) => !answer.value.hasCode)
    if (without.length === agreeing.length)
      throw new NotComparableError(
        `the chain has no contract at this address at block ${block}; choose a block at which it exists with --at`,
      )
    for (const { node } of without)
      skipNode(readerOf(node), new NotComparableError(`it has no contract at this address at block ${block}`))
    hash = expected
    anchored = true
    return expected
  }

  const genesis = await request((reader, s) => reader.genesis(s))
  for (const { node, value } of genesis)
    if (value !== genesisHash)
      skipNode(
        readerOf(node),
        new NotComparableError(
          `${node} has genesis ${value}, but the stored data is of genesis ${genesisHash}: use a node of that chain`,
        ),
      )
  if (failures.size === readers.length) throw worst([...failures.values()])
  await anchor()
  return { nodes, anchor, request }
}

/** The error to throw if no node is left: an error about a node's data is more useful than one about an unreachable node. */
function worst(reasons: readonly unknown[]): unknown {
  return (
    reasons.find((r) => r instanceof StateUnavailableError) ??
    reasons.find((r) => r instanceof BlockMovedError || r instanceof NotComparableError) ??
    new NotComparableError(
      `no node can be queried: ${[...new Set(reasons.map(messageOf))].join('; ')}: check that they run and that chains.NAME.rpc has their addresses`,
    )
  )
}

/** The message without causes, which a node's error includes. */
function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
