import type { QueuedWebhook } from '../../src/stream/delivery/attempt/loadWebhooks.ts'
import type { SendQueueKind } from '../../src/stream/delivery/queues/sendQueueState.ts'
import type { Loaded, Requested } from '../../src/stream/delivery/queues/webhookReader.ts'
import type { Attempt } from '../../src/stream/ledger/attempt.ts'

/** A pending delivery. */
export type Row = Pick<QueuedWebhook, 'chainId' | 'position' | 'replay' | 'failures' | 'retraction'> & {
  /** undefined: only probes have been attempted so far. */
  dueAt?: number | undefined
}

type ReadRows = Omit<Loaded, 'cut'>

/** A model in memory of one stream's queue and ledger. */
export class QueueModel {
  rows: Row[] = []
  /** Every webhook so far, by position. */
  readonly #webhooks = new Map<bigint, Row>()
  /** Positions of retractions, by the positions of the retracted webhooks. */
  readonly #retractions = new Map<bigint, bigint>()
  readonly #replays = new Map<bigint, number>()

  enqueue(chainId: bigint, attempted?: Pick<Row, 'failures' | 'dueAt'>): void {
    this.#add(chainId, { ...attempted, retraction: false })
  }

  /** A reorganisation takes a webhook back: its retraction becomes pending instead. Returns undefined if no webhook can be taken back. */
  takeBack(position: bigint): Row | undefined {
    const webhook = this.#webhooks.get(position)
    if (!webhook || webhook.retraction || this.#retractions.has(position)) return undefined
    this.rows = this.rows.filter((row) => row.position !== position)
    this.#retractions.set(position, this.#add(webhook.chainId, { retraction: true }))
    return webhook
  }

  /** The position of a webhook's retraction. */
  retractionOf(position: bigint): bigint | undefined {
    return this.#retractions.get(position)
  }

  /** Requests another delivery of a webhook that has none pending. */
  replay(position: bigint): void {
    const webhook = this.#webhooks.get(position)
    const isPending = this.rows.some((row) => row.position === position)
    if (!webhook || isPending || this.#retractions.has(position)) return
    const replay = (this.#replays.get(position) ?? 0) + 1
    this.#replays.set(position, replay)
    this.#put({ ...webhook, replay, failures: 0, dueAt: undefined })
  }

  /** The current rows of a send queue. */
  read(kind: SendQueueKind, { chainId, after, limit }: Requested, now: number): ReadRows {
    const isRequested = ({ dueAt, position, ...row }: Row) => {
      if (kind === 'retries') return dueAt !== undefined && dueAt <= now
      const isOwn = kind === 'first' ? row.replay === 0 && row.chainId === chainId : row.replay > 0
      return isOwn && dueAt === undefined && position > after
    }
    const requested = this.rows.filter(isRequested).sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
    const later = this.rows.flatMap(({ dueAt }) => (dueAt !== undefined && dueAt > now ? [dueAt] : []))
    const nextDueAt = kind === 'retries' && later.length > 0 ? new Date(Math.min(...later)) : undefined
    return { webhooks: requested.slice(0, limit).map(webhookOf), nextDueAt }
  }

  /** The delivery that was pending for longest. */
  oldest(): QueuedWebhook | undefined {
    const row = this.rows.find(({ replay }) => replay === 0) ?? this.rows[0]
    return row && webhookOf(row)
  }

  /** Settles an attempt like the ledger: once, whichever process made it. */
  settle({
    position,
    replay,
    number,
    outcome,
    probe,
  }: Pick<Attempt, 'position' | 'replay' | 'number' | 'outcome' | 'probe'>): void {
    const row = this.rows.find((own) => own.position === position && own.replay === replay)
    if (!row || row.failures !== number - 1) return
    this.rows = this.rows.filter((own) => own !== row)
    if (outcome.status === 'delivered') return
    const failures = row.failures + 1
    if (probe) this.#put({ ...row, failures })
    else if (outcome.retryAt) this.#put({ ...row, failures, dueAt: outcome.retryAt.getTime() })
  }

  #add(chainId: bigint, rest: Partial<Row>): bigint {
    const position = BigInt(this.#webhooks.size + 1)
    const row: Row = { chainId, position, replay: 0, failures: 0, retraction: false, ...rest }
    this.#webhooks.set(position, row)
    this.#put(row)
    return position
  }

  #put(row: Row): void {
    this.rows = [...this.rows, row].sort((a, b) => Number(a.position - b.position))
  }
}

export function webhookOf({ dueAt: _, ...row }: Row): QueuedWebhook {
  return { ...row, id: '', postponed: 0, firstAt: undefined, part: 1, parts: 1, body: `webhook ${row.position}` }
}

/** The name of the next attempt of a delivery. */
export function nameOf({ position, replay, failures }: Pick<Row, 'position' | 'replay' | 'failures'>): string {
  return `${position}:${replay}:${failures}`
}
