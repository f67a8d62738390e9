import { expect } from 'vitest'
import type { AttemptResult } from '../../src/stream/delivery/attempt/createAttempt.ts'
import type { QueuedWebhook } from '../../src/stream/delivery/attempt/loadWebhooks.ts'
import type { Target } from '../../src/stream/delivery/attempt/target.ts'
import { type Claims, createClaims } from '../../src/stream/delivery/queues/claims.ts'
import { createLoader, type Loader } from '../../src/stream/delivery/queues/createLoader.ts'
import { createSender, type Sender } from '../../src/stream/delivery/queues/createSender.ts'
import {
  createStreamState,
  isInMemory,
  reportRetracted,
  reportSettled,
  type SendQueue,
  type SendQueueEffects,
  type StreamState,
  sendQueueOf,
  sendQueuesOf,
  setTarget,
} from '../../src/stream/delivery/queues/sendQueue.ts'
import type { SendQueueKind } from '../../src/stream/delivery/queues/sendQueueState.ts'
import type { Loaded, Requested } from '../../src/stream/delivery/queues/webhookReader.ts'
import type { Attempt, Outcome } from '../../src/stream/ledger/attempt.ts'
import { checkMoment, checkSent, type Moment, settings } from './deliveryRules.ts'
import { nameOf, QueueModel } from './queueModel.ts'

type Read = { end(fit: number): void; fail(): void }
type Post = { webhook: QueuedWebhook; url: string | undefined; answer(result: AttemptResult): void }

const partition = 7
const retryMs = 100
const databaseUnreachable = new Error('the database is unreachable')

/** Runs everything that needs no further event: chains of promises. */
const flush = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * The delivery of one stream, with a queue in memory. The test decides when each read, attempt and settling ends.
 * The send queues, the loader, the sender and the claims are the service's own. Each webhook is checked when it is sent.
 */
export class DeliveryModel implements Moment {
  now = 1_000_000
  isLeased = true
  /** undefined: the stream is paused or in error. */
  target: Target | undefined
  readonly queue = new QueueModel()
  readonly reads: Read[] = []
  readonly posts: Post[] = []
  /** Answered attempts, and whether the ledger has them. */
  readonly answered: { attempt: Attempt; isStored: boolean }[] = []
  /** Chains with webhooks that a reorganisation took back, but without a notification so far. */
  readonly takenBack: bigint[] = []
  /** For each address that returned 429, the end of its pause. */
  readonly pausedUntil = new Map<string, number>()
  isLoading = false
  stream: StreamState
  readonly claims: Claims<SendQueue> = createClaims()
  readonly loader: Loader
  readonly sender: Sender
  readonly #effects: SendQueueEffects
  readonly #sent = new Set<string>()
  /** The first error of a check at sending. */
  #fault: unknown

  constructor(target: Target) {
    this.target = target
    const read = (kind: SendQueueKind) => (requested: readonly Requested[]) => this.#read(kind, requested)
    const queue = { first: read('first'), replays: read('replays'), retries: read('retries') }
    this.loader = createLoader({ queue, claims: this.claims, settings, onCapacity() {} })
    this.sender = createSender({
      ...{ claims: this.claims, settings, signal: new AbortController().signal },
      attempt: (webhook, target) => this.#post(webhook, target),
      clock: () => this.now,
      holds: () => this.isLeased,
      isFull: () => false,
      onAttempt: (attempt) => void this.answered.push({ attempt, isStored: false }),
      onFreed: this.loader.free,
    })
    this.#effects = {
      onWaiting: this.sender.queue,
      onWanted: this.loader.want,
      onDropped: (sendQueue, webhooks) => {
        for (const webhook of webhooks) {
          this.claims.move(webhook, 'forget')
          this.loader.free(sendQueue, webhook.body.length)
        }
      },
    }
    this.stream = createStreamState({ partition, streamId: 's' }, this.#effects)
    this.reportTarget()
  }

  enqueue(chainId: bigint): void {
    this.queue.enqueue(chainId)
    this.#laneOf(chainId).change({ type: 'notified' })
  }

  /** Adds a retry that is due, as another process does. */
  enqueueRetry(chainId: bigint): void {
    this.queue.enqueue(chainId, { failures: 1, dueAt: this.now })
    this.stream.retries.change({ type: 'notified' })
  }

  /** A reorganisation takes a webhook back. The notification follows later. */
  takeBack(position: bigint): void {
    const taken = this.queue.takeBack(position)
    if (taken) this.takenBack.push(taken.chainId)
  }

  reportRetracted(): void {
    for (const chainId of this.takenBack.splice(0)) {
      const sendQueue = this.#laneOf(chainId)
      reportRetracted(sendQueue)
      sendQueue.change({ type: 'notified' })
    }
  }

  replay(position: bigint): void {
    this.queue.replay(position)
    this.reportTarget()
  }

  /** Reads the stream again, as after each change of the stream or of the leases. */
  reportTarget(): void {
    setTarget(this.stream, this.isLeased ? this.target && { ...this.target } : undefined)
  }

  /** This process gets the lease again, after it noticed the loss. */
  findLease(): void {
    this.reportTarget()
    this.isLeased = true
    this.reportTarget()
  }

  /** Drops everything that is pending, as when the stream is deleted. */
  drop(): void {
    this.queue.rows = []
    this.target = undefined
    this.reportTarget()
  }

  /** Another process holds the lease meanwhile and settles the webhook that was pending for longest. */
  deliverElsewhere(end: 'delivered' | 'failed' | 'probed'): void {
    const webhook = this.queue.oldest()
    if (this.isLeased || this.claims.busy(partition) || !webhook) return
    this.#sent.add(nameOf(webhook))
    const probe = end === 'probed' ? { notBefore: undefined } : undefined
    const attempt = { ...webhook, number: webhook.failures + 1, outcome: this.#outcomeOf(end) }
    this.queue.settle({ ...attempt, ...(probe && { probe }) })
  }

  /** Removes an idle stream from memory. It starts again when it has something to send. */
  forget(): void {
    if (isInMemory(this.stream) || (this.isLeased && this.queue.rows.length > 0)) return
    setTarget(this.stream, undefined)
    this.stream = createStreamState({ partition, streamId: 's' }, this.#effects)
    for (const { chainId } of this.queue.rows) this.#laneOf(chainId)
    this.reportTarget()
  }

  async load(): Promise<void> {
    if (this.isLoading) return
    this.isLoading = true
    void this.loader
      .load()
      .catch((error: unknown) => {
        if (error !== databaseUnreachable) this.#fault ??= error
      })
      .finally(() => {
        this.isLoading = false
      })
    await flush()
  }

  async endRead(place: number, end: 'all' | 'one' | 'none' | 'fails'): Promise<void> {
    const [read] = this.reads.splice(place, 1)
    if (end === 'fails') read?.fail()
    else read?.end({ all: Number.POSITIVE_INFINITY, one: 1, none: 0 }[end])
    await flush()
  }

  async answer(place: number, end: 'delivered' | 'failed' | 'given up' | 'paused'): Promise<void> {
    const [post] = this.posts.splice(place, 1)
    const at = new Date(this.now)
    const outcome = this.#outcomeOf(end)
    if (end === 'paused' && post?.url) this.pausedUntil.set(post.url, this.now + retryMs)
    post?.answer({ at, ms: 1, outcome, ...(end === 'paused' && { pauseMs: retryMs }) })
    await flush()
  }

  /** The transaction that settles an attempt commits. */
  store(place: number): void {
    const settled = this.answered[place]
    if (!settled || settled.isStored) return
    settled.isStored = true
    this.queue.settle(settled.attempt)
  }

  /** This process learns that a settling has committed. */
  reportSettled(place: number): void {
    const settled = this.answered[place]
    if (!settled?.isStored) return
    this.answered.splice(place, 1)
    reportSettled(settled.attempt, this.stream, this.claims)
    this.sender.resume()
  }

  advance(ms: number): void {
    this.now += ms
    this.sender.endPauses()
    this.stream.retries.change({ type: 'clock', now: this.now })
  }

  /** A stream in error sends a probe: the webhook that was pending for longest. */
  async probe(): Promise<void> {
    if (this.target || !this.isLeased) return
    const webhook = this.queue.oldest()
    const owner = { held: 0, stream: this.stream } as unknown as SendQueue
    if (!webhook || !this.claims.take(owner, webhook)) return
    this.claims.move(webhook, 'send')
    void this.#post(webhook).then(({ at, ms, outcome }) => {
      this.claims.move(webhook, 'complete')
      const { chainId, position, replay, failures } = webhook
      const key = { partition, streamId: 's', chainId, position, replay }
      const probe = { notBefore: undefined }
      const attempt = { ...key, number: failures + 1, urlHash: Buffer.alloc(0), at, ms, outcome, probe }
      this.answered.push({ attempt, isStored: false })
    })
    await flush()
  }

  /** Activates the stream and lets everything succeed, until all pending webhooks are delivered. */
  async drain(): Promise<void> {
    this.target ??= targetOf('a', 'ordered')
    this.findLease()
    this.reportRetracted()
    for (let round = 0; round < 200; round++) {
      await this.load()
      while (this.reads.length > 0) await this.endRead(0, 'all')
      while (this.posts.length > 0) await this.answer(0, 'delivered')
      for (const _ of [...this.answered]) {
        this.store(0)
        this.reportSettled(0)
      }
      // The dispatcher waits until something is due, so move the clock.
      this.advance(10)
      this.check()
      if (this.queue.rows.length === 0 && !isInMemory(this.stream)) return
    }
    expect(this.queue.rows, 'everything pending is sent').toEqual([])
    expect(sendQueuesOf(this.stream).map(({ held }) => held)).toEqual(sendQueuesOf(this.stream).map(() => 0))
  }

  /** Checks the invariants that hold at any time. */
  check(): void {
    if (this.#fault) throw this.#fault
    checkMoment(this)
  }

  #laneOf(chainId: bigint): SendQueue {
    return sendQueueOf(this.stream, chainId, this.#effects)
  }

  #outcomeOf(end: string): Outcome {
    if (end === 'delivered') return { status: 'delivered', code: 200, answer: Buffer.alloc(0) }
    const retryAt = end === 'given up' ? undefined : new Date(this.now + retryMs)
    return { status: 'failed', error: 'answered 500', code: 500, retryAt }
  }

  #read(kind: SendQueueKind, requested: readonly Requested[]): Promise<Loaded[]> {
    const found = requested.map((one) => this.queue.read(kind, one, this.now))
    return new Promise((resolve, reject) => {
      this.reads.push({
        end(fit) {
          const fitting = ({ webhooks, nextDueAt }: (typeof found)[number]) => {
            const cut = webhooks.length > fit
            return { webhooks: webhooks.slice(0, fit), cut, nextDueAt }
          }
          resolve(found.map(fitting))
        },
        fail: () => reject(databaseUnreachable),
      })
    })
  }

  #post(webhook: QueuedWebhook, target?: Target): Promise<AttemptResult> {
    try {
      expect(this.#sent, 'no attempt is made twice').not.toContain(nameOf(webhook))
      if (target) checkSent(this, webhook, target, this.#sent)
    } catch (fault) {
      this.#fault ??= fault
    }
    this.#sent.add(nameOf(webhook))
    return new Promise((resolve) => {
      this.posts.push({ webhook, url: target?.url, answer: resolve })
    })
  }
}

export function targetOf(path: string, delivery: Target['delivery']): Target {
  const url = `http://receiver.example/${path}`
  const nothing = { keys: [], headers: undefined, gzip: false, urlHash: Buffer.alloc(0) }
  return { partition, streamId: 's', status: 'active', delivery, url, ...nothing }
}
