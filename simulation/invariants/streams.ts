import { setTimeout as wait } from 'node:timers/promises'
import { createDatabase } from '../../src/db/database.ts'
import { silentLog } from '../../src/log.ts'
import { recountLedger } from '../../src/stream/ledger/recountLedger.ts'
import type { OwnedStream } from '../clients/ownedStream.ts'
import { setStatus } from '../clients/streamOwner.ts'
import type { Journal } from '../journal.ts'
import type { Attempt, Inbox } from '../outside/receivers.ts'
import type { World } from '../world.ts'
import { confirmations } from '../worldConfig.ts'
import { disorderOf, receivedMatches, repeatedAttempts, trueMatches } from './webhooks.ts'

/** How long after a process that delivers came back an attempt may still be one of before, in milliseconds. */
const graceMs = 15_000

const owed = `
SELECT (SELECT count(*) FROM webhook_queue)::int, (SELECT count(*) FROM stream_addition)::int,
  (SELECT count(*) FROM stream_chain s JOIN stream t ON t.partition = s.partition AND t.id = s.stream_id
   WHERE s.state = 'history' AND t.status = 'active' AND (NOT waiting OR t.addresses > 0))::int,
  (SELECT '0x' || encode(block_hash, 'hex') FROM chain)`

/** Resumes what its owner paused and waits until all is matched and sent; a fault where that does not come by itself. */
export async function awaitStreams(world: World, patienceMs: number): Promise<boolean> {
  const { chain, database, journal, streams } = world
  const deadline = journal.now() + patienceMs
  for (const stream of streams)
    while (stream.isPaused && journal.now() < deadline) {
      await setStatus(world, stream, 'active')
      if (stream.isPaused) await wait(200)
    }
  for (;;) {
    const [row] = await database.rows<[number, number, number, string]>(owed).catch(() => [])
    if (row && row[0] === 0 && row[1] === 0 && row[2] === 0 && row[3] === chain.head().hash) return true
    if (journal.now() > deadline) {
      journal.fault(
        '6 help',
        `streams did not come to rest by themselves: [queued, additions, histories, cursor] is ${JSON.stringify(row)}`,
      )
      return false
    }
    await wait(50)
  }
}

/** Invariant 3: what receivers have is what the chain gives; no attempt twice without a crash; statistics = ledger = receivers. */
export async function checkStreams(world: World): Promise<void> {
  const { chain, journal, receivers, streams } = world
  for (const stream of streams) {
    const inbox = receivers.inbox(stream.path)
    const broken = (text: string) => journal.fault('3 streams', `${stream.tag} (${stream.delivery}): ${text}`)
    for (const { attempt, before } of repeatedAttempts(inbox, stream))
      if (!journal.wasAway('deliver', before.start, attempt.start, graceMs))
        broken(
          `attempt ${attempt.retries} of ${attempt.id} was made at ${before.start} and again at ${attempt.start} ms, without a crash`,
        )
    const disorder = stream.delivery === 'ordered' && !stream.hasHistory ? disorderOf(chain, inbox) : undefined
    if (disorder) broken(disorder)
    if (!stream.isUnknown) compareMatches(world, stream, inbox, broken)
    await compareStatistics(world, stream, inbox, broken)
  }
  await recount(world)
}

function compareMatches({ chain }: World, stream: OwnedStream, inbox: Inbox, broken: (text: string) => void): void {
  const head = chain.head().number
  const received = receivedMatches(inbox)
  const confirmed = trueMatches(chain, stream, head - confirmations)
  const told = stream.confirmedOnly ? confirmed : trueMatches(chain, stream, head)
  for (const [what, given, expected] of [
    ['told', received.told, told],
    ['confirmed', received.confirmed, confirmed],
  ] as const) {
    const missing = expected.filter((line) => !given.includes(line))
    const tooMany = given.filter((line) => !expected.includes(line))
    if (missing.length + tooMany.length > 0)
      broken(
        `of ${expected.length} logs ${what}, ${missing.length} are missing (${missing[0]}), and ${tooMany.length} are none of the chain (${tooMany[0]})`,
      )
  }
  if (received.twice.length > 0) broken(`${received.twice.length} logs were told twice, the first ${received.twice[0]}`)
}

/** Attempts that came while a process was frozen or killed may count otherwise than the receiver saw them. */
const isSure = (journal: Journal, { outcome, start, end }: Attempt) =>
  outcome !== 'unknown' && !journal.wasAway('deliver', start, Number.isFinite(end) ? end : journal.now(), graceMs)

async function compareStatistics(
  { client, journal }: World,
  stream: OwnedStream,
  inbox: Inbox,
  broken: (text: string) => void,
): Promise<void> {
  const answer = await client.ask(`/stats/${stream.id}`)
  if (answer?.status !== 200) return broken(`its statistics were answered ${answer?.status}`)
  const stats = JSON.parse(answer.text) as { totalWebhooksDelivered: number; totalWebhooksFailed: number }
  const unsure = inbox.attempts.filter((attempt) => !isSure(journal, attempt)).length
  const delivered = new Set(inbox.attempts.filter(({ outcome }) => outcome === 'delivered').map(({ id }) => id)).size
  const failed = inbox.attempts.filter(({ outcome }) => outcome === 'failed').length
  if (Math.abs(stats.totalWebhooksDelivered - delivered) > unsure)
    broken(
      `${stats.totalWebhooksDelivered} webhooks count as delivered, and ${delivered} were taken (${unsure} unsure)`,
    )
  if (Math.abs(stats.totalWebhooksFailed - failed) > unsure)
    broken(`${stats.totalWebhooksFailed} attempts count as failed, and ${failed} were refused (${unsure} unsure)`)
}

async function recount({ database, journal }: World): Promise<void> {
  const db = createDatabase({ connection: database.connection, poolSize: 2, log: silentLog })
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
