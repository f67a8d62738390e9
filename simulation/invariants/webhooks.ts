import type { WebhookBody } from '../../src/webhook.ts'
import type { WorldBlock, WorldChain } from '../chain/worldChain.ts'
import type { OwnedStream } from '../clients/ownedStream.ts'
import type { Attempt, Inbox } from '../outside/receivers.ts'

type Log = { address: string; topics: string[] }

/** What a stream matches in the blocks of the chain up to one: a line for each log. */
export function trueMatches(chain: WorldChain, stream: OwnedStream, upTo: number): string[] {
  return chain.blocks
    .slice(0, Math.max(0, upTo + 1))
    .flatMap((block) =>
      (block.logs as (Log & { transactionHash: string })[]).flatMap((log, index) =>
        takes(stream, block, log) ? [`${block.number} ${block.hash} log ${index}`] : [],
      ),
    )
}

/** A log is a stream's where it, or one of its indexed arguments, names an address that the stream watches in that block. */
function takes(stream: OwnedStream, { number }: WorldBlock, { address, topics }: Log): boolean {
  if (number < stream.from && !stream.spans) return false
  if (stream.topics && !stream.topics.includes(topics[0]!)) return false
  const named = [address, ...topics.slice(1).map((topic) => `0x${topic.slice(26)}`)]
  return (
    stream.spans === undefined ||
    stream.spans.some(
      (span) => named.includes(span.address) && number >= span.from && (span.to === undefined || number < span.to),
    )
  )
}

/** Logs that a receiver has after it took all webhooks and forgot what was taken back; `told`: under any kind, each once. */
export function receivedMatches(inbox: Inbox): { told: string[]; confirmed: string[]; twice: string[] } {
  const delivered = new Set(inbox.attempts.filter(({ outcome }) => outcome !== 'failed').map(({ id }) => id))
  const first = inbox.order.map((id) => ({ id, body: inbox.bodies.get(id)!.body }))
  const isKept = ({ body }: { body: WebhookBody }, place: number) =>
    !first
      .slice(place + 1)
      .some(({ id, body: later }) => later.reverted && delivered.has(id) && later.block.hash === body.block.hash)
  const kept = first.filter(
    (webhook, place) => !webhook.body.reverted && delivered.has(webhook.id) && isKept(webhook, place),
  )
  const linesOf = (bodies: typeof kept) =>
    bodies.flatMap(({ body }) =>
      body.logs.map((log) => `${body.block.number} ${body.block.hash} log ${Number(log.logIndex)}`),
    )
  const confirmed = linesOf(kept.filter(({ body }) => body.confirmed))
  const unconfirmed = linesOf(kept.filter(({ body }) => !body.confirmed))
  const repeated = (lines: string[]) => lines.filter((line, i) => lines.indexOf(line) !== i)
  return {
    told: [...new Set([...unconfirmed, ...confirmed])],
    confirmed,
    twice: [...repeated(confirmed), ...repeated(unconfirmed)],
  }
}

/** The first pair of first attempts that came in the wrong order, for people; undefined: order holds. */
export function disorderOf(chain: WorldChain, inbox: Inbox): string | undefined {
  let told: WorldBlock[] = []
  for (const id of inbox.order) {
    const { body } = inbox.bodies.get(id)!
    if (body.confirmed) continue
    const block = chain.byHash(body.block.hash)
    if (!block) return `${id} is of block ${body.block.hash}, which no node ever had`
    if (body.reverted) {
      told = told.filter(({ hash }) => hash !== block.hash)
      continue
    }
    const last = told.at(-1)
    if (last && !isBelow(chain, last, block))
      return `block ${block.number} ${block.hash} came after ${last.number} ${last.hash}, which is not below it and was not taken back`
    told.push(block)
  }
  return undefined
}

function isBelow(chain: WorldChain, lower: WorldBlock, upper: WorldBlock): boolean {
  let at: WorldBlock | undefined = upper
  while (at && at.number > lower.number) at = chain.byHash(at.parentHash)
  return upper.number > lower.number && at?.hash === lower.hash
}

/** Attempts that came again though nobody asked for them, each with the attempts of its kind before it. */
export function repeatedAttempts(inbox: Inbox, stream: OwnedStream): { attempt: Attempt; before: Attempt }[] {
  const seen = new Map<string, Attempt[]>()
  const repeated: { attempt: Attempt; before: Attempt }[] = []
  for (const attempt of inbox.attempts) {
    const key = `${attempt.id} ${attempt.retries}`
    const earlier = seen.get(key) ?? []
    if (earlier.length > (stream.replays.get(attempt.id) ?? 0)) repeated.push({ attempt, before: earlier.at(-1)! })
    seen.set(key, [...earlier, attempt])
  }
  return repeated
}
