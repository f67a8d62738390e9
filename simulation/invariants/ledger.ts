import type { OwnedStream } from '../clients/ownedStream.ts'
import { walk } from '../clients/walk.ts'
import type { Journal } from '../journal.ts'
import type { Attempt, Inbox } from '../outside/receivers.ts'
import type { World } from '../world.ts'
import { detectionMs, wasCutOff } from './cutOff.ts'

type Listed = { id: string; status: string; tinyPayload: { confirmed: boolean; records: number } }
type Logged = {
  id: string
  webhookId: string
  statusCode: number | null
  deliveryStatus: string
  errorMessage: string
  createdAt: string
  latencyMs: number
}

/** The numbers in a stream's ledger that its counters must match. */
export type Counted = { delivered: number; failed: number; records: number }

/**
 * Compares the ledger, as `GET /history` and `GET /history/logs` list it, with what the receiver got. The ledger must list each id once,
 * none of them pending, and accepted webhooks as delivered. The attempts of each id must match in number and status. Only attempts that a
 * crash interrupted may be missing. Returns the delivered webhooks, the failed attempts, and the confirmed logs and transactions of the
 * ledger.
 */
export async function compareLedger(
  { client, journal }: World,
  stream: OwnedStream,
  inbox: Inbox,
  broken: (text: string) => void,
): Promise<Counted | undefined> {
  const listed = await walk<Listed>(client, `/history?streamId=${stream.id}&excludePayload=true&limit=83`)
  const logged = await walk<Logged>(client, `/history/logs?streamId=${stream.id}&limit=97`)
  if ('cut' in listed || 'cut' in logged) {
    broken('its ledger was not answered')
    return undefined
  }
  for (const [what, items] of [
    ['webhook', listed.items],
    ['attempt', logged.items],
  ] as const)
    if (new Set(items.map(({ id }) => id)).size !== items.length) broken(`the list of its ${what}s repeats one`)
  compareStatus(journal, listed.items, inbox, broken)
  const counted = Map.groupBy(inbox.attempts, ({ id }) => id)
  const stored = Map.groupBy(logged.items, ({ webhookId }) => webhookId)
  for (const id of new Set([...counted.keys(), ...stored.keys()])) {
    const difference = differenceOf(
      counted.get(id) ?? [],
      stored.get(id) ?? [],
      (attempt) => attempt.outcome !== 'unknown' && !wasCutOff(journal, attempt),
      (attempt) => neverArrived(journal, attempt),
    )
    if (difference) broken(`of ${id} ${difference}`)
  }
  return {
    delivered: listed.items.filter(({ status }) => status === 'delivered').length,
    failed: logged.items.filter(({ deliveryStatus }) => deliveryStatus === 'failed').length,
    records: listed.items.reduce((sum, { tinyPayload: { confirmed, records } }) => sum + (confirmed ? records : 0), 0),
  }
}

function compareStatus(
  journal: Journal,
  listed: readonly Listed[],
  inbox: Inbox,
  broken: (text: string) => void,
): void {
  const taken = Map.groupBy(
    inbox.attempts.filter(({ outcome }) => outcome === 'delivered'),
    ({ id }) => id,
  )
  for (const { id, status, tinyPayload } of listed) {
    const { body } = inbox.bodies.get(id) ?? {}
    const came = body && body.logs.length + body.txs.length
    if (came !== undefined && came !== tinyPayload.records)
      broken(`${id} has ${tinyPayload.records} records in the ledger, and came with ${came}`)
    const own = taken.get(id)
    if (status !== 'pending' && (status === 'delivered') === (own !== undefined)) continue
    // A crash interrupted the accepted attempt. Before the retry, its block was undone or its stream deleted.
    if (status === 'dropped' && own?.every((attempt) => wasCutOff(journal, attempt)))
      journal.excuse('dropped webhooks that had been taken before a crash')
    else broken(`${id} is ${status}, and its receiver ${own ? 'took it' : 'did not take it'}`)
  }
  const known = new Set(listed.map(({ id }) => id))
  const unknown = inbox.order.find((id) => !known.has(id))
  if (unknown !== undefined) broken(`${unknown} came, and is not in its ledger`)
}

/**
 * Whether an attempt without a response may never have arrived: its sender was frozen, or the machine stalled, before the request was
 * sent, and its timeout passed meanwhile.
 */
function neverArrived(journal: Journal, { statusCode, createdAt, latencyMs }: Logged): boolean {
  if (statusCode !== null) return false
  const from = journal.now() - (Date.now() - Date.parse(createdAt))
  const mayBe = (['deliver', 'machine'] as const).some((what) =>
    journal.wasUnreachable(what, from, from + latencyMs, detectionMs),
  )
  if (mayBe) journal.excuse('attempts that may never have arrived')
  return mayBe
}

/** Returns the difference between the attempts of one webhook in the ledger and at the receiver, as text. */
function differenceOf(
  came: readonly Attempt[],
  stored: readonly Logged[],
  isSure: (attempt: Attempt) => boolean,
  mayMiss: (attempt: Logged) => boolean,
): string | undefined {
  const unsure = came.filter((attempt) => !isSure(attempt))
  for (const code of new Set([...came.map((one) => one.code), ...stored.map((one) => one.statusCode ?? undefined)])) {
    const kept = stored.filter(({ statusCode }) => (statusCode ?? undefined) === code)
    const least = came.filter((attempt) => attempt.code === code && isSure(attempt)).length
    // A frozen sender misses the response, and stores the attempt without one.
    const most = least + unsure.filter((attempt) => code === undefined || attempt.code === code).length
    if (kept.length < least || (kept.length > most && kept.filter((attempt) => !mayMiss(attempt)).length > most))
      return `${kept.length} attempts answered ${code ?? `nothing (${kept.at(-1)?.errorMessage})`} are in the ledger, and ${least}${most > least ? ` to ${most}` : ''} came`
  }
  return undefined
}
