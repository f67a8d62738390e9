import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { QueuedWebhook } from '../attempt/loadWebhooks.ts'
import type { Target } from '../attempt/target.ts'
import {
  hunger,
  isReading,
  maySend,
  newSendQueue,
  nextSendQueue,
  type SendQueueEvent,
  type SendQueueKind,
  type SendQueueState,
} from './sendQueueState.ts'

/** Results of the loaded webhooks. */
type Model = { sent: Set<QueuedWebhook>; dropped: Set<QueuedWebhook>; loaded: Set<QueuedWebhook> }
type Real = { sendQueue: SendQueueState; position: bigint }

const target = (delivery: Target['delivery']) => ({ url: 'http://receiver.example/', delivery }) as Target
const webhook = (position: bigint, retraction: boolean) =>
  ({ position, replay: 0, failures: 0, retraction }) as QueuedWebhook

/** Creates an event for the current state of a send queue; undefined if no event of this kind is possible. */
type Make = (sendQueue: SendQueueState, real: Real) => SendQueueEvent | undefined

/** An event that may come in any state. If a state does not allow it, it is rejected and changes nothing. */
class Happen implements fc.Command<Model, Real> {
  readonly name: string
  readonly make: Make
  readonly can: (sendQueue: SendQueueState) => boolean
  constructor(name: string, make: Make, can: Happen['can'] = () => true) {
    this.name = name
    this.make = make
    this.can = can
  }
  check = () => true
  run(model: Model, real: Real): void {
    const before = real.sendQueue
    const event = this.make(before, real)
    if (!event) return
    if (!this.can(before)) {
      expect(() => nextSendQueue(before, event)).toThrow(TypeError)
      return
    }
    const after = nextSendQueue(before, event)
    real.sendQueue = after
    if (event.type === 'loaded') for (const one of event.webhooks) model.loaded.add(one)
    if (event.type === 'send') {
      const one = before.loaded[0]!
      hold(!model.sent.has(one), 'sent once')
      model.sent.add(one)
    } else
      for (const one of before.loaded) {
        if (after.loaded.includes(one)) continue
        hold(event.type === 'stop' || event.type === 'empty', 'nothing else drops what is loaded')
        model.dropped.add(one)
      }
    checkSendQueue(after, model)
  }
  toString = () => this.name
}

/** Checks the invariants of every state. */
function checkSendQueue(sendQueue: SendQueueState, { loaded, sent, dropped }: Model): void {
  const { slot, underWay, kind } = sendQueue
  hold(slot !== 'idle' || !maySend(sendQueue), 'an idle lane has nothing that it may send')
  hold(sendQueue.target !== undefined || sendQueue.loaded.length === 0, 'a stopped lane holds nothing')
  hold(
    hunger(sendQueue) === 0 || (sendQueue.target !== undefined && !isReading(sendQueue)),
    'only a lane that sends is read for, once',
  )
  for (const one of loaded) {
    const places = [sendQueue.loaded.includes(one), sent.has(one), dropped.has(one)].filter(Boolean)
    hold(places.length === 1, 'what was loaded is loaded still, or sent, or dropped')
  }
  hold(
    underWay.every((one) => sent.has(one)),
    'webhooks in flight were sent',
  )
  const isAlone = kind === 'first' && underWay.some(({ retraction }) => retraction)
  hold((!isAlone && kind !== 'replays') || underWay.length <= 1, 'replays and retractions go alone')
}

/** Replaces `expect`, which is too slow for millions of calls. */
function hold(holds: boolean, what: string): void {
  if (!holds) throw new Error(what)
}

function read(sendQueue: SendQueueState, real: Real, retractions: readonly boolean[]): SendQueueEvent {
  const isStale = sendQueue.reading === 'reading, stale'
  const webhooks = retractions.map((retraction, i) => webhook(real.position + BigInt(i + 1), retraction))
  real.position += BigInt(webhooks.length)
  const reported = { more: retractions.length > 2, nextDueAt: undefined }
  return { type: 'loaded', webhooks: isStale ? [] : webhooks, last: isStale ? undefined : real.position, ...reported }
}

const simple =
  (type: 'stop' | 'notified' | 'empty' | 'read' | 'read failed' | 'call' | 'leave' | 'suspend' | 'resume' | 'send') =>
  (): SendQueueEvent => ({ type })
const ended =
  (type: 'complete' | 'abort', place: number): Make =>
  ({ underWay }) => {
    const one = underWay[place] ?? underWay[0]
    return one && (type === 'abort' ? { type, webhook: one } : { type, webhook: one, delivered: place > 0 })
  }
/** A sequence of events, if they are possible. Single events would rarely come in this order. */
class Then implements fc.Command<Model, Real> {
  readonly steps: readonly Happen[]
  constructor(...steps: Happen[]) {
    this.steps = steps
  }
  check = () => true
  run(model: Model, real: Real): void {
    for (const step of this.steps) if (step.can(real.sendQueue)) step.run(model, real)
  }
  toString = () => this.steps.join(', then ')
}

const wants = ({ target: own, reading }: SendQueueState) => own !== undefined && reading === 'wanted'
const isCalled = ({ slot }: SendQueueState) => slot === 'called'
const stranger = webhook(0n, false)

const call = new Happen('call', simple('call'), ({ slot }) => slot === 'waiting')
const send = new Happen('send', simple('send'), (sendQueue) => isCalled(sendQueue) && maySend(sendQueue))
const begin = new Happen('read', simple('read'), wants)
const loaded = fc
  .array(fc.boolean(), { maxLength: 4 })
  .map((rows) => new Happen(`loaded ${rows.join()}`, (sendQueue, real) => read(sendQueue, real, rows), isReading))

const happenings: fc.Arbitrary<Happen | Then>[] = [
  ...Array.from({ length: 4 }, () => fc.constant(new Then(call, send))),
  ...Array.from({ length: 4 }, () => loaded.map((end) => new Then(begin, end))),
  fc
    .constantFrom('ordered' as const, 'unordered' as const)
    .map((mode) => new Happen(`start ${mode}`, () => ({ type: 'start', target: target(mode) }))),
  ...(['stop', 'notified', 'empty'] as const).map((type) => fc.constant(new Happen(type, simple(type)))),
  fc.constant(begin),
  loaded,
  fc.constant(new Happen('read failed', simple('read failed'), isReading)),
  fc
    .bigInt({ min: 1n, max: 20n })
    .map((position) => new Happen(`look again ${position}`, () => ({ type: 'look again', position }))),
  fc.nat({ max: 9 }).map((at) => new Happen(`due ${at}`, () => ({ type: 'due', at }))),
  fc.nat({ max: 9 }).map((now) => new Happen(`clock ${now}`, () => ({ type: 'clock', now }))),
  fc.constant(call),
  fc.constant(new Happen('leave', simple('leave'), isCalled)),
  fc.constant(new Happen('suspend', simple('suspend'), isCalled)),
  fc.constant(new Happen('resume', simple('resume'), ({ slot }) => slot === 'suspended')),
  fc.constant(send),
  fc.nat({ max: 2 }).map((place) => new Happen(`answer ${place}`, ended('complete', place))),
  fc.nat({ max: 2 }).map((place) => new Happen(`cut ${place}`, ended('abort', place))),
  fc.constant(
    new Happen(
      'answer of another',
      () => ({ type: 'complete', webhook: stranger, delivered: true }),
      () => false,
    ),
  ),
]

describe.each<SendQueueKind>(['first', 'replays', 'retries'])('a send queue of %s', (kind) => {
  test('behavior: in any order of events a send queue sends what it loaded once, and rejects impossible events', () => {
    fc.assert(
      fc.property(fc.commands(happenings, { maxCommands: 60, size: 'max' }), (order) => {
        const model: Model = { sent: new Set(), dropped: new Set(), loaded: new Set() }
        fc.modelRun(() => ({ model, real: { sendQueue: newSendQueue(kind), position: 0n } }), order)
      }),
      { numRuns: 1_000 },
    )
  })
})
