import type { WebhookBody } from '../../src/webhook.ts'
import type { WorldBlock, WorldChain } from '../chain/worldChain.ts'
import { transactionsOf } from '../chain/worldTransactions.ts'
import type { OwnedStream, Span } from '../clients/ownedStream.ts'
import type { Attempt, Inbox } from '../outside/receivers.ts'

type Log = { address: string; topics: string[]; data: string; transactionHash: string }

/** A log as one line: all that a webhook reports it. */
const lineOf = (block: { number: unknown; hash: string }, index: number, log: Log): string =>
  [block.number, block.hash, 'log', index, log.transactionHash, log.address, log.data, ...log.topics].join(' ')

/** A transaction as one line: what shows it apart, and what only its receipt has. */
const transactionLine = (block: { number: unknown; hash: string }, fields: readonly unknown[]): string =>
  [block.number, block.hash, 'transaction', ...fields].join(' ')

/** What a stream matches, a line for each log and transaction; `doubtful`: nobody knows whether it does. */
export type Matches = { due: Set<string>; doubtful: Set<string> }

/** What a stream matches in blocks. */
export function trueMatches(blocks: Iterable<WorldBlock>, stream: OwnedStream): Matches {
  const matches: Matches = { due: new Set(), doubtful: new Set() }
  for (const block of blocks) {
    const add = (line: string, addresses: readonly string[]) => {
      if (watches(stream, block, addresses)) matches.due.add(line)
      else if (mayWatch(stream, block, addresses)) matches.doubtful.add(line)
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

/** Something is a stream's where one of the addresses that it names is watched by the stream in that block. */
function watches({ from, spans }: OwnedStream, { number }: WorldBlock, addresses: readonly string[]): boolean {
  if (spans === undefined) return number >= from
  return spans.some((span) => addresses.includes(span.address) && holdsAt(span, number))
}

const mayWatch = ({ inconsistencies }: OwnedStream, { number }: WorldBlock, addresses: readonly string[]): boolean =>
  inconsistencies.some((span) => addresses.includes(span.address) && holdsAt(span, number))

/** What a webhook shows, a line for each log and transaction. */
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

/** What a receiver has after it took all webhooks and forgot what was taken back; `reported`: under any kind, each once. */
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
 * The first pair of first attempts that came in the wrong order, as readable text; undefined: order holds. Unconfirmed webhooks climb the chain, and
 * confirmed ones do: a block may only follow the last one of its kind that was not retracted. What is taken back is so from the top: no block that
 * was reported may follow it. Blocks of which something had been attempted before it came for the first time are omitted: that attempt was lost on
 * its way.
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

/** Outcome of a block, and when, as readable text. */
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

/** What is wrong with the retractions that came, as readable text, each with its first attempt: what was taken back never comes again. */
export function wrongRetractions(inbox: Inbox): { text: string; attempt: Attempt }[] {
  return inbox.order.flatMap((id) => {
    const { body } = inbox.bodies.get(id)!
    // What never came may be taken back too.
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

/** Attempts that came again though nobody requested them, each with the attempts of its kind before it. */
export function repeatedAttempts(inbox: Inbox, stream: OwnedStream): { attempt: Attempt; before: Attempt }[] {
  const seen = new Map<string, Attempt[]>()
  const repeated: { attempt: Attempt; before: Attempt }[] = []
  for (const attempt of inbox.attempts) {
    const key = `${attempt.id} ${attempt.retries}`
    const earlier = seen.get(key) ?? []
    // Each replay begins again at 0.
    if (earlier.length > (stream.replays.get(attempt.id) ?? 0)) repeated.push({ attempt, before: earlier.at(-1)! })
    seen.set(key, [...earlier, attempt])
  }
  return repeated
}
