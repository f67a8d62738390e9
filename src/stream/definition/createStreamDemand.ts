import { randomUUID } from 'node:crypto'
import type { Database, Sql, Transaction } from '../../db/database.ts'
import { streamPartition } from '../../sync/partition.ts'
import { quantity } from '../../util/hex.ts'
import type { EffectiveBlocks, FromBlocks, StreamDemand, StreamRecord } from '../demand.ts'
import { beginAddress, dropQueued, keepSecret, openLedger, resumeStream, streamChanged } from '../ledger/streamState.ts'
import { writeOperationalWebhooks } from '../operational/operationalWebhooks.ts'
import { createWebhookSecret } from '../sign/webhookSecret.ts'
import { changeStream, newChains, operationalWebhookOf } from './changeStream.ts'
import {
  addressesOf,
  chainIdsOf,
  checkDefinition,
  checkNewChains,
  checkStopped,
  checkWebhookUrl,
  definitionOf,
  fromBlocksOf,
  matchingOf,
  type StreamableChain,
  usableChains,
} from './checkStream.ts'
import { enterChains, laterOf } from './enterChains.ts'
import { addAddresses, dropAddresses } from './moveAddresses.ts'
import { readUnfollowed } from './pausePlaces.ts'
import { deleteAllAddresses, listAddresses } from './streamAddresses.ts'
import { type FreshHeads, holdChains, laggingChains, recordChange, shapeOf, unfollowedChains } from './streamChange.ts'
import * as store from './streamStore.ts'
import { shownHeaders, webhookHeadersOf } from './webhookHeaders.ts'

export type TestOutcome = { ok: true } | { ok: false; reason: string }

export type StreamDemandOptions = {
  /** For changes, which may wait for locks of chains. */
  db: Database
  /** For reads, with a timeout; default: as for changes. */
  reads?: Sql
  chains: readonly StreamableChain[]
  /** The head of a chain that is not followed now; opens the chain. Throws the node's error. */
  head: (chainId: bigint) => Promise<bigint>
  /**
   * The head of a chain whose follower lags; default: as `head`. undefined: no node has its parent, so it may be above
   * the chain.
   */
  linkedHead?: (chainId: bigint) => Promise<bigint | undefined>
  /** Sends the test webhook to a stream's address. */
  sendTest: (stream: store.StreamRow) => Promise<TestOutcome>
  /** How long a replaced secret still signs, in milliseconds. */
  secretOverlapMs: number
}

/** Statement timeout of a change, in milliseconds. */
const changeMs = 60_000

export function createStreamDemand(options: StreamDemandOptions): StreamDemand {
  const { db, reads = db, chains, head, linkedHead = head, sendTest, secretOverlapMs } = options

  /** The chains that still have a node. On others a change applies from the first unmatched block. */
  function withNodes(chainIds: readonly bigint[]): bigint[] {
    const usable = usableChains(chains)
    return chainIds.filter((id) => usable.some((chain) => chain.id === id))
  }

  /**
   * Requests heads before the transaction, which locks the chains and must be short. On `starting` chains matching begins
   * with the change, which includes no blocks from before the request. So these need a head while the follower lags, too.
   */
  async function freshHeads(chainIds: readonly bigint[], starting: readonly bigint[] = []): Promise<FreshHeads> {
    const unfollowed = await unfollowedChains(reads, chainIds)
    const followed = starting.filter((id) => !unfollowed.includes(id))
    const lagging = followed.length === 0 ? [] : await laggingChains(reads, followed)
    const requested = await Promise.all([
      ...unfollowed.map(async (id) => [id, await head(id)] as const),
      ...lagging.map(async (id) => [id, await linkedHead(id)] as const),
    ])
    return new Map(requested.flatMap(([id, number]) => (number === undefined ? [] : [[id, number]])))
  }

  /** A change that takes longer than clients wait is rolled back. */
  const transaction = <T>(work: (tx: Transaction) => Promise<T>) =>
    db.transaction(work, `SET LOCAL statement_timeout = ${changeMs}`)

  const known = (id: string, tx?: Transaction) => store.readKnownStream(tx ?? reads, id, tx !== undefined)

  async function moveAddresses(
    id: string,
    texts: readonly string[],
    move: typeof addAddresses,
    fromTexts: FromBlocks = {},
  ) {
    const addresses = addressesOf(texts)
    const { chainIds } = await known(id)
    const fromBlocks = fromBlocksOf(fromTexts, chainIds)
    const heads = await freshHeads(withNodes(chainIds))
    const effective = await transaction(async (tx) => move(tx, await known(id, tx), { addresses, heads, fromBlocks }))
    return { effectiveBlocks: blocksOf(effective) }
  }

  return {
    async create(body) {
      const { chainIds, definition, fromBlocks } = matchingOf(body, chains)
      const id = randomUUID()
      const draft: store.StreamRow = {
        partition: streamPartition(id),
        id,
        status: 'active',
        statusMessage: '',
        webhookUrl: checkWebhookUrl(body.webhookUrl),
        webhookSecret: body.webhookSecret ?? createWebhookSecret(),
        headers: webhookHeadersOf(body.headers),
        delivery: body.delivery ?? 'ordered',
        gzip: body.gzip ?? false,
        description: body.description,
        tag: body.tag,
        chainIds,
        definition,
        historyFailure: null,
        pausedUntil: null,
        addresses: 0n,
        createdAt: '',
        updatedAt: '',
      }
      // The test webhook is sent last: nothing is sent if the body is rejected.
      const heads = await freshHeads(chainIds, chainIds)
      const stream = afterTest(draft, await sendTest(draft))
      const effective = await transaction(async (tx) => {
        await beginAddress(tx, stream)
        await store.insertStream(tx, stream)
        await openLedger(tx, stream)
        if (stream.status !== 'active') await writeOperationalWebhooks(tx, [operationalWebhookOf(stream)], new Date())
        const held = await holdChains(tx, chainIds, heads)
        await enterChains(tx, stream, [...held.values()], fromBlocks)
        const { partition } = stream
        const holds = await recordChange(tx, held, { partition, streamId: id, chainIds, after: shapeOf(stream) })
        await streamChanged(tx, stream)
        return laterOf(holds, fromBlocks)
      })
      return { ...toRecord(await known(id)), effectiveBlocks: blocksOf(effective) }
    },

    async update(id, body) {
      const chainIds = body.chainIds ? chainIdsOf(body.chainIds, chains) : undefined
      const current = await known(id)
      const webhookUrl = body.webhookUrl ? checkWebhookUrl(body.webhookUrl) : undefined
      const merge = (stream: store.StreamRow): store.StreamRow => {
        const moved = webhookUrl !== undefined && new URL(webhookUrl).origin !== new URL(stream.webhookUrl).origin
        return {
          ...stream,
          webhookUrl: webhookUrl ?? stream.webhookUrl,
          webhookSecret: body.webhookSecret ?? stream.webhookSecret,
          headers: webhookHeadersOf(body.headers, stream.headers, moved),
          gzip: body.gzip ?? stream.gzip,
          description: body.description ?? stream.description,
          tag: body.tag ?? stream.tag,
          delivery: body.delivery ?? stream.delivery,
          chainIds: chainIds ?? stream.chainIds,
          definition: definitionOf(body, stream.definition),
        }
      }
      const draft = merge(current)
      checkDefinition(draft.definition, draft.chainIds)
      const fromBlocks = fromBlocksOf(body.fromBlocks, draft.chainIds)
      checkNewChains(
        fromBlocks,
        newChains({ before: current, after: draft }, await store.readFormerChains(reads, current)),
      )
      const added = draft.chainIds.filter((chainId) => !current.chainIds.includes(chainId))
      const heads = await freshHeads(withNodes([...current.chainIds, ...added]), added)
      // The test webhook is sent only to an address that is new to the stream, and last.
      const outcome = draft.webhookUrl === current.webhookUrl ? undefined : await sendTest(draft)
      const effective = await transaction(async (tx) => {
        const before = await known(id, tx)
        const after = outcome ? afterTest(merge(before), outcome) : merge(before)
        if (after.webhookUrl !== before.webhookUrl) await beginAddress(tx, after)
        if (after.webhookSecret !== before.webhookSecret)
          await keepSecret(tx, { ...before, secret: before.webhookSecret, overlapMs: secretOverlapMs })
        return changeStream(tx, { before, after, heads, fromBlocks })
      })
      return { ...toRecord(await known(id)), effectiveBlocks: blocksOf(effective) }
    },

    async setStatus(id, status, resumeFrom = 'pause') {
      const current = await known(id)
      const { chainIds } = current
      const starting = store.isMatched(current.status) ? [] : chainIds
      // A stream that keeps its place needs no heads.
      const heads: FreshHeads = resumeFrom === 'pause' ? new Map() : await freshHeads(chainIds, starting)
      const resumeAt = typeof resumeFrom === 'string' ? resumeFrom : fromBlocksOf(resumeFrom, chainIds)
      const effective = await transaction(async (tx) => {
        const before = await known(id, tx)
        if (typeof resumeAt !== 'string') checkStopped(before.status)
        const after = { ...before, status, statusMessage: '' }
        const holds = await changeStream(tx, { before, after, heads, resumeAt })
        if (status === 'active') await resumeStream(tx, before)
        for (const [chainId, block] of await readUnfollowed(tx, before)) {
          const change = holds.get(chainId)
          if (change !== undefined && (resumeFrom !== 'now' || block > change)) holds.set(chainId, block)
        }
        return holds
      })
      return { ...toRecord(await known(id)), effectiveBlocks: blocksOf(effective) }
    },

    async remove(id) {
      const removed = await transaction(async (tx) => {
        const stream = await known(id, tx)
        const { partition, chainIds } = stream
        // Locks chains before the rows that history locks. So nothing is enqueued after the queue is emptied.
        const held = await holdChains(tx, chainIds, new Map())
        await recordChange(tx, held, { partition, streamId: id, chainIds, isDeleted: true })
        await store.deleteStream(tx, stream)
        await dropQueued(tx, stream, 'its stream was deleted')
        await streamChanged(tx, stream)
        return stream
      })
      // Outside the transaction: nothing reads the addresses any more, and deleting a million of them must not lock
      // chains.
      await deleteAllAddresses(db, removed)
      return toRecord(removed)
    },

    get: async (id) => toRecord(await known(id)),

    async list(options) {
      const { streams, total, next } = await store.listStreams(reads, options)
      return { streams: streams.map(toRecord), total, next }
    },

    addAddresses: (id, addresses, fromBlocks) => moveAddresses(id, addresses, addAddresses, fromBlocks),
    removeAddresses: (id, addresses) => moveAddresses(id, addresses, dropAddresses),

    async listAddresses(id, options) {
      const stream = await known(id)
      return { ...(await listAddresses(reads, stream, options)), total: Number(stream.addresses) }
    },
  }
}

/** Prefix of the status message after a failed test webhook. */
const testFailed = 'the test webhook failed: '

/**
 * A failed test pauses the stream with the reason. A successful one keeps the status, and clears the message of a
 * previous test.
 */
function afterTest(stream: store.StreamRow, outcome: TestOutcome): store.StreamRow {
  if (!outcome.ok) return { ...stream, status: 'paused', statusMessage: `${testFailed}${outcome.reason}` }
  return stream.statusMessage.startsWith(testFailed) ? { ...stream, statusMessage: '' } : stream
}

function toRecord(stream: store.StreamRow): StreamRecord {
  const { id, webhookUrl, description, tag, status, statusMessage, webhookSecret, createdAt, updatedAt } = stream
  return {
    id,
    webhookUrl,
    description,
    tag,
    chainIds: stream.chainIds.map((chainId) => quantity(chainId)),
    ...stream.definition,
    status,
    statusMessage: statusMessage || waitsOf(stream).join('; '),
    webhookSecret,
    headers: shownHeaders(stream.headers),
    delivery: stream.delivery,
    gzip: stream.gzip,
    amountOfAddresses: Number(stream.addresses),
    createdAt,
    updatedAt,
  }
}

/** What of an otherwise working stream waits, and why. */
function waitsOf({ status, historyFailure, pausedUntil }: store.StreamRow): string[] {
  const waits = historyFailure === null ? [] : [`history waits: ${historyFailure}`]
  if (pausedUntil !== null && status === 'active')
    waits.push(
      `webhooks wait until ${pausedUntil}: its endpoint returned 429 with Retry-After; setting the status to active ends the wait`,
    )
  return waits
}

function blocksOf(effective: ReadonlyMap<bigint, bigint>): EffectiveBlocks {
  return Object.fromEntries([...effective].map(([chainId, block]) => [quantity(chainId), String(block)]))
}
