import type { WebhookBody } from '../../src/webhook.ts'
import type { WorldBlock, WorldChain } from '../chain/worldChain.ts'
import { transactionsOf } from '../chain/worldTransactions.ts'
import type { OwnedStream, Span } from '../clients/ownedStream.ts'
import type { Attempt, Inbox } from '../outside/receivers.ts'

type Log = { address: string; topics: string[]; data: string; transactionHash: string }

/** A log as one line, with all fields that a webhook contains. */
const lineOf = (block: { number: unknown; hash: string }, index: number, log: Log): string =>
  [block.number, block.hash, 'log', index, log.transactionHash, log.address, log.data, ...log.topics].join(' ')

/** A transaction as one line, with its own fields and the fields of its receipt. */
const transactionLine = (block: { number: unknown; hash: string }, fields: readonly unknown[]): string =>
  [block.number, block.hash, 'transaction', ...fields].join(' ')

/** Matches of a stream, a line for each log and transaction. `uncertain`: lines that the stream may or may not match. */
export type Matches = { expected: Set<string>; uncertain: Set<string> }

/** Returns the matches of a stream in blocks. */
export function trueMatches(blocks: Iterable<WorldBlock>, stream: OwnedStream): Matches {
  const matches: Matches = { expected: new Set(), uncertain: new Set() }
  for (const block of blocks) {
    const add = (line: string, addresses: readonly string[]) => {
      if (watches(stream, block, addresses)) matches.expected.add(line)
      else if (mayWatch(stream, block, addresses)) matches.uncertain.add(line)
    }
    for (const [index, log] of (block.logs as Log[]).entries()) {
      if (stream.topics && !stream.topics.includes(log.topics[0]!)) continue
      add(lineOf(block, index, log), [log.address, ...log.topics.slice(1).map((topic) => `0x${topic.slice(26)}`)])
    }
    if (!stream.hasTransactions) continue
    for (const { hash, index, from, to, value, nonce, gasUsed, isGood } of transactionsOf(block)) {
      const fields = [index, hash, from, to, value, nonce, gasUsed, isGood ? 1 : 0]
      add(transactionLine(block, fields), [from, to])
    }
  }
  return matches
}

const holdsAt = (span: Span, number: number) => number >= span.from && (span.to === undefined || number < span.to)

/** A stream matches a log or transaction if it watches one of its addresses in that block. */
function watches({ from, spans }: OwnedStream, { number }: WorldBlock, addresses: readonly string[]): boolean {
  if (spans === undefined) return number >= from
  return spans.some((span) => addresses.includes(span.address) && holdsAt(span, number))
}

const mayWatch = ({ inconsistencies }: OwnedStream, { number }: WorldBlock, addresses: readonly string[]): boolean =>
  inconsistencies.some((span) => addresses.includes(span.address) && holdsAt(span, number))

/** Returns the contents of a webhook, a line for each log and transaction. */
export function linesOf({ block, logs, txs }: WebhookBody): string[] {
  return [
    ...logs.map((log) => {
      const topics = [log.topic0, log.topic1, log.topic2, log.topic3].filter((topic) => topic != null)
      return lineOf(block, Number(log.logIndex), { ...log, topics } as unknown as Log)
    }),
    ...txs.map((tx) =>
      transactionLine(block, [
        ...[tx.transactionIndex, tx.hash, tx.fromAddress, tx.toAddress, tx.value, tx.nonce],
        ...[tx.receiptGasUsed, tx.receiptStatus],
      ]),
    ),
  ]
}

/** Returns what a receiver has after all webhooks, without retracted blocks. `reported`: lines of either kind, each once. */
export function receivedMatches(inbox: Inbox): { reported: string[]; confirmed: string[]; twice: string[] } {
  const delivered = new Set(inbox.attempts.filter(({ outcome }) => outcome !== 'failed').map(({ id }) => id))
  const first = inbox.order.map((id) => ({ id, body: inbox.bodies.get(id)!.body }))
  /** The place of the last retraction of each block. */
  const takenBack = new Map<string, number>()
  for (const [place, { id, body }] of first.entries())
    if (body.reverted && delivered.has(id)) takenBack.set(body.block.hash, place)
  const kept = first.filter(
    ({ id, body }, place) => !body.reverted && delivered.has(id) && (takenBack.get(body.block.hash) ?? -1) < place,
  )
  const confirmed = kept.filter(({ body }) => body.confirmed).flatMap(({ body }) => linesOf(body))
  const unconfirmed = kept.filter(({ body }) => !body.confirmed).flatMap(({ body }) => linesOf(body))
  const repeated = (lines: string[]) => {
    const seen = new Set<string>()
    return lines.filter((line) => seen.size === seen.add(line).size)
  }
  return {
    reported: [...new Set([...unconfirmed, ...confirmed])],
    confirmed,
    twice: [...repeated(confirmed), ...repeated(unconfirmed)],
  }
}

/**
 * Returns the first pair of first attempts in the wrong order, as text; undefined if the order is right.
 * - Unconfirmed webhooks go up the chain, and so do confirmed ones. The last unretracted block of the kind must be an ancestor of the next one.
 * - Retractions go down the chain: all reported blocks above must be retracted first.
 * - Blocks are skipped if their first known attempt was a retry, because an earlier attempt was lost.
 */
export function disorderOf(chain: WorldChain, inbox: Inbox): string | undefined {
  const reported: Record<'unconfirmed' | 'confirmed', WorldBlock[]> = { unconfirmed: [], confirmed: [] }
  const lost = new Set([...inbox.bodies.values()].flatMap(({ body }) => (body.retries > 0 ? [body.block.hash] : [])))
  for (const id of inbox.order) {
    const { body } = inbox.bodies.get(id)!
    if (lost.has(body.block.hash)) continue
    const block = chain.byHash(body.block.hash)
    if (!block) return `${id} is of block ${body.block.hash}, which no node ever had`
    const kind = body.confirmed ? 'confirmed' : 'unconfirmed'
    if (body.reverted) {
      const above = reported[kind].findLast((one) => isBelow(chain, block, one))
      if (above)
        return `${kind} block ${block.number} ${block.hash} was taken back before ${above.number} ${above.hash}, which stands on it: ${cameOf(inbox, block)}, ${cameOf(inbox, above)}`
      for (const each of ['unconfirmed', 'confirmed'] as const)
        reported[each] = reported[each].filter(({ hash }) => hash !== block.hash)
      continue
    }
    const last = reported[kind].at(-1)
    if (last && !isBelow(chain, last, block))
      return `${kind} block ${block.number} ${block.hash} came after ${last.number} ${last.hash}, which is not below it and was not taken back: ${cameOf(inbox, block)}, ${cameOf(inbox, last)}`
    reported[kind].push(block)
  }
  return undefined
}

/** Returns the attempts of a block with times and outcomes, as text. */
function cameOf({ attempts, bodies }: Inbox, { number, hash }: WorldBlock): string {
  const own = attempts.filter(({ id }) => bodies.get(id)!.body.block.hash === hash)
  const reported = own.map(({ id, retries, start, outcome, code }) => {
    const { confirmed, reverted } = bodies.get(id)!.body
    const kind = reverted ? 'retraction' : confirmed ? 'confirmed' : 'unconfirmed'
    return `${kind} ${retries} at ${start} ms ${outcome} ${code ?? ''}`
  })
  return `of ${number} came ${reported.join(', ')}`
}

function isBelow(chain: WorldChain, lower: WorldBlock, upper: WorldBlock): boolean {
  let at: WorldBlock | undefined = upper
  while (at && at.number > lower.number) at = chain.byHash(at.parentHash)
  return upper.number > lower.number && at?.hash === lower.hash
}

/** Returns the wrong retractions as text, each with its first attempt. A retracted webhook must never come again. */
export function wrongRetractions(inbox: Inbox): { text: string; attempt: Attempt }[] {
  return inbox.order.flatMap((id) => {
    const { body } = inbox.bodies.get(id)!
    // A retraction may concern a webhook that never arrived.
    const taken = inbox.bodies.get(body.revertedWebhookId ?? '')
    if (!taken) return []
    const attempt = inbox.attempts.find((one) => one.id === id)!
    if (taken.body.block.hash !== body.block.hash)
      return [{ text: `${id} takes back ${body.revertedWebhookId} of another block`, attempt }]
    return inbox.attempts
      .filter((one) => one.id === body.revertedWebhookId && one.start > attempt.end)
      .map((one) => ({ text: `${one.id} came at ${one.start} ms, after ${id} had taken it back`, attempt }))
  })
}

/** Returns attempts that were repeated without a replay, each with the previous attempt of its kind. */
export function repeatedAttempts(inbox: Inbox, stream: OwnedStream): { attempt: Attempt; before: Attempt }[] {
  const seen = new Map<string, Attempt[]>()
  const repeated: { attempt: Attempt; before: Attempt }[] = []
  for (const attempt of inbox.attempts) {
    const key = `${attempt.id} ${attempt.retries}`
    const earlier = seen.get(key) ?? []
    // Each replay starts again at retry 0.
    if (earlier.length > (stream.replays.get(attempt.id) ?? 0)) repeated.push({ attempt, before: earlier.at(-1)! })
    seen.set(key, [...earlier, attempt])
  }
  return repeated
}
