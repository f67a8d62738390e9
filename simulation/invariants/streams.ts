import { setTimeout as wait } from 'node:timers/promises'
import { createDatabase } from '../../src/db/database.ts'
import { recountLedger } from '../../src/stream/ledger/recountLedger.ts'
import { noopLog } from '../../src/util/log.ts'
import type { OwnedStream } from '../clients/ownedStream.ts'
import { isAnswered, retryLost, setStatus } from '../clients/streamOwner.ts'
import type { Inbox } from '../outside/receivers.ts'
import type { World } from '../world.ts'
import { confirmations } from '../worldConfig.ts'
import { wasCutOff } from './cutOff.ts'
import { type Counted, compareLedger } from './ledger.ts'
import { disorderOf, linesOf, receivedMatches, repeatedAttempts, trueMatches, wrongRetractions } from './webhooks.ts'

/**
 * Counts that must be zero at rest. Their order matters, as the nodes of a cluster have no common snapshot: first the sources of webhooks,
 * then the webhooks. Each stream is compared with the cursor on its own node, where the same transaction queues its webhooks. `ofHead`: the
 * statement takes the hash of the head.
 */
const pending: readonly { what: string; text: string; ofHead?: true }[] = [
  {
    what: 'streams behind',
    text: `SELECT count(*)::int FROM stream CROSS JOIN chain WHERE '0x' || encode(block_hash, 'hex') <> $1`,
    ofHead: true,
  },
  { what: 'additions', text: 'SELECT count(*)::int FROM stream_addition' },
  {
    what: 'histories',
    text: `SELECT count(*)::int FROM stream_chain s JOIN stream t ON t.partition = s.partition AND t.id = s.stream_id
     WHERE s.state = 'history' AND t.status = 'active' AND (NOT waiting OR t.addresses > 0)`,
  },
  { what: 'webhooks', text: 'SELECT count(*)::int FROM webhook_queue' },
]

/** Returns the pending work as text; undefined if there is none. */
async function unrest({ chain, database }: World): Promise<string | undefined> {
  for (const { what, text, ofHead } of pending) {
    const rows = await database.rowsUnlessUnreachable<[number]>(text, ofHead ? [chain.head().hash] : [])
    if (!rows) return 'the database is unreachable'
    if (rows[0]![0] > 0) return `${rows[0]![0]} ${what}`
  }
  return undefined
}

/** Data that shows why streams may be waiting. */
const waiting = [
  'SELECT block_number::int, finalized_number::int, head_number::int FROM chain',
  'SELECT next_block::text, to_block::text, failure FROM stream_addition',
]

/** Repeats requests without a response, and resumes paused streams. */
export async function settleOwner(world: World, patienceMs: number): Promise<void> {
  const { journal, streams } = world
  const deadline = journal.now() + patienceMs
  while (!streams.every(isAnswered) && journal.now() < deadline) {
    await retryLost(world)
    await wait(200)
  }
  for (const stream of streams)
    while (stream.isPaused && stream.deleted === undefined && journal.now() < deadline) {
      await setStatus(world, stream, 'active')
      if (stream.isPaused) await wait(200)
    }
}

/** Waits until everything is matched and sent, and reports an error after `patienceMs`. */
export async function awaitStreams(world: World, patienceMs: number): Promise<boolean> {
  const { database, journal } = world
  const deadline = journal.now() + patienceMs
  for (;;) {
    const unsettled = await unrest(world)
    if (unsettled === undefined) return true
    if (journal.now() > deadline) {
      const found = await Promise.all(waiting.map((text) => database.rowsUnlessUnreachable(text)))
      journal.fault(
        '6 help',
        `streams did not come to rest by themselves: ${unsettled}; cursor, final block, head and additions are ${JSON.stringify(found)}`,
      )
      return false
    }
    await wait(50)
  }
}

/** Invariant 3: receivers have what the chain has; attempts repeat only after a crash; statistics, ledger and receivers agree. */
export async function checkStreams(world: World): Promise<void> {
  const { chain, journal, receivers, streams } = world
  for (const stream of streams) {
    const inbox = receivers.inbox(stream.path)
    const broken = (text: string) => journal.fault('3 streams', `${stream.tag} (${stream.delivery}): ${text}`)
    for (const { attempt, before } of repeatedAttempts(inbox, stream))
      if (wasCutOff(journal, before)) journal.excuse('attempts made twice')
      else
        broken(
          `attempt ${attempt.retries} of ${attempt.id} was made at ${before.start} to ${before.end} and again at ${attempt.start} ms, without a crash`,
        )
    for (const { text, attempt } of wrongRetractions(inbox))
      if (wasCutOff(journal, attempt)) journal.excuse('retractions beside a crash')
      else broken(text)
    const disorder = stream.delivery === 'ordered' && !stream.hasHistory ? disorderOf(chain, inbox) : undefined
    if (disorder) broken(disorder)
    if (stream.deleted === undefined) await compareMatches(world, stream, inbox, broken)
    else compareDeleted(world, stream, inbox, broken)
    const counted = await compareLedger(world, stream, inbox, broken)
    if (counted) await compareStatistics(world, stream, { inbox, counted }, broken)
  }
  await compareSums(world)
  await recount(world)
}

/** Reads the state of a stream for error messages. */
const selectState = `
SELECT t.status, t.addresses::int, s.state, s.waiting, s.asked, s.from_block::int, s.next_block::int, s.head_from::int, s.failure
FROM stream t JOIN stream_chain s ON s.partition = t.partition AND s.stream_id = t.id WHERE t.id = $1`

async function compareMatches(
  { chain, database, journal }: World,
  stream: OwnedStream,
  inbox: Inbox,
  broken: (text: string) => void,
): Promise<void> {
  const { blocks } = chain
  const received = receivedMatches(inbox)
  const confirmed = trueMatches(blocks.slice(0, Math.max(0, blocks.length - confirmations)), stream)
  const reported = stream.confirmedOnly ? confirmed : trueMatches(blocks, stream)
  journal.count('streams held to their matches')
  if (reported.uncertain.size > 0) journal.excuse('streams with logs of a change whose answer was lost')
  for (const [what, given, { expected, uncertain }] of [
    ['reported', new Set(received.reported), reported],
    ['confirmed', new Set(received.confirmed), confirmed],
  ] as const) {
    const missing = [...expected].filter((line) => !given.has(line))
    const tooMany = [...given].filter((line) => !expected.has(line) && !uncertain.has(line))
    if (missing.length + tooMany.length > 0)
      broken(
        `of ${expected.size} logs and transactions ${what}, ${missing.length} are missing (${missing[0]}), and ${tooMany.length} are none of the chain (${tooMany[0]}); spans ${JSON.stringify(stream.spans)}, its rows ${JSON.stringify(await database.rowsUnlessUnreachable(selectState, [stream.id]))}`,
      )
  }
  if (received.twice.length > 0)
    broken(`${received.twice.length} logs were reported twice, the first ${received.twice[0]}`)
}

/** Milliseconds after the response to a deletion in which webhooks of the stream may still arrive, on a busy machine. */
const onTheWayMs = 2_000

/** A deleted stream must have sent only what it matched, on any fork, and must send nothing more. */
function compareDeleted(
  { chain, journal }: World,
  stream: OwnedStream,
  inbox: Inbox,
  broken: (text: string) => void,
): void {
  const { deleted } = stream
  if (typeof deleted !== 'number') return
  journal.count('deleted streams')
  const bodies = [...inbox.bodies.values()].map(({ body }) => body).filter(({ reverted }) => !reverted)
  const blocks = new Set(bodies.map(({ block }) => chain.byHash(block.hash)))
  if (blocks.has(undefined)) broken('a webhook is of a block which no node ever had')
  const { expected, uncertain } = trueMatches(
    [...blocks].filter((block) => block !== undefined),
    stream,
  )
  const wrong = bodies.flatMap(linesOf).find((line) => !expected.has(line) && !uncertain.has(line))
  if (wrong !== undefined) broken(`it reported what it does not match: ${wrong}`)
  const isExcused = (until: number) =>
    (['deliver', 'database', 'machine'] as const).some((what) =>
      journal.wasUnreachable(what, deleted - onTheWayMs, until, onTheWayMs),
    )
  const late = inbox.attempts.find(({ start }) => start > deleted + onTheWayMs && !isExcused(start))
  if (late) broken(`${late.id} came at ${late.start} ms, and the stream had been deleted at ${deleted} ms`)
}

async function compareStatistics(
  { client }: World,
  stream: OwnedStream,
  { inbox, counted }: { inbox: Inbox; counted: Counted },
  broken: (text: string) => void,
): Promise<void> {
  const answer = await client.request(`/stats/${stream.id}`)
  if (answer?.status !== 200) return broken(`its statistics were answered ${answer?.status}`)
  const stats = JSON.parse(answer.text) as Statistics
  if (stats.totalWebhooksDelivered !== counted.delivered)
    broken(`${stats.totalWebhooksDelivered} webhooks count as delivered, and ${counted.delivered} are in the ledger`)
  if (stats.totalWebhooksFailed !== counted.failed)
    broken(`${stats.totalWebhooksFailed} attempts count as failed, and ${counted.failed} are in the ledger`)
  // A block counts even if a reorg undid it after its confirmations.
  const { totalLogsProcessed: logs, totalTxsProcessed: txs } = stats
  if (logs + txs !== counted.records)
    broken(`${logs} logs and ${txs} transactions count as processed, and ${counted.records} of both were confirmed`)
  const sum = (list: 'logs' | 'txs') =>
    [...inbox.bodies.values()].reduce((all, { body }) => all + (body.confirmed ? body[list].length : 0), 0)
  if (logs < sum('logs') || txs < sum('txs'))
    broken(`${logs} logs and ${txs} transactions count as processed, and ${sum('logs')} and ${sum('txs')} came`)
}

/** The sum over all streams must equal the sum of the single ones. */
async function compareSums({ client, journal }: World): Promise<void> {
  const answer = await client.request('/stats')
  if (answer?.status !== 200) return journal.fault('3 streams', `the sum of statistics was answered ${answer?.status}`)
  const all = JSON.parse(answer.text) as Statistics & { streams: Statistics[] }
  for (const name of counters) {
    const sum = all.streams.reduce((total, one) => total + one[name], 0)
    if (sum !== all[name]) journal.fault('3 streams', `the sum of ${name} is ${all[name]}, and that of each ${sum}`)
  }
}

const counters = ['totalWebhooksDelivered', 'totalWebhooksFailed', 'totalLogsProcessed', 'totalTxsProcessed'] as const
type Statistics = Record<(typeof counters)[number], number>

async function recount({ database, journal }: World): Promise<void> {
  const db = createDatabase({ connection: database.connection, poolSize: 2, log: noopLog })
  try {
    const { mismatches } = await recountLedger(db)
    for (const { streamId, what, counted, recounted } of mismatches)
      journal.fault(
        '3 streams',
        `the counter ${what} of stream ${streamId} is ${counted}, its ledger gives ${recounted}`,
      )
  } finally {
    await db.close()
  }
}
