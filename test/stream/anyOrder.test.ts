import fc from 'fast-check'
import { inject, test } from 'vitest'
import { DeliveryModel, targetOf } from './deliveryModel.ts'

type Nothing = Record<string, never>

/** One event; fast-check prints its name with its values. */
class Happening implements fc.AsyncCommand<Nothing, DeliveryModel> {
  readonly name: string
  readonly happen: (delivery: DeliveryModel) => void | Promise<void>
  constructor(name: string, happen: Happening['happen']) {
    this.name = name
    this.happen = happen
  }
  check = () => true
  async run(_: Nothing, delivery: DeliveryModel): Promise<void> {
    await this.happen(delivery)
    delivery.check()
  }
  toString = () => this.name
}

const of = (name: string, happen: Happening['happen']) => fc.constant(new Happening(name, happen))
const with_ = <T>(
  name: string,
  given: fc.Arbitrary<T>,
  happen: (delivery: DeliveryModel, given: T) => void | Promise<void>,
) => given.map((value) => new Happening(`${name} ${value}`, (delivery) => happen(delivery, value)))

const place = fc.nat({ max: 3 })
const position = fc.bigInt({ min: 1n, max: 12n })
const mode = fc.constantFrom('ordered' as const, 'unordered' as const)
const chain = fc.bigInt({ min: 1n, max: 3n })

/** The ledger stores the oldest answered attempt, and this process learns of it. */
function settle(delivery: DeliveryModel): void {
  delivery.store(0)
  delivery.reportSettled(0)
}

const happenings = [
  with_('enqueue on chains', fc.array(chain, { minLength: 1, maxLength: 4 }), (delivery, chains) => {
    for (const chainId of chains) delivery.enqueue(chainId)
  }),
  with_('retries are due on chain', chain, (delivery, chainId) => {
    for (let count = 0; count < 3; count++) delivery.enqueueRetry(chainId)
  }),
  of('load', (delivery) => delivery.load()),
  of('load', (delivery) => delivery.load()),
  ...Array.from({ length: 3 }, () =>
    of('load and end', async (delivery) => {
      await delivery.load()
      while (delivery.reads.length > 0) await delivery.endRead(0, 'all')
    }),
  ),
  with_('end read', place, (delivery, at) => delivery.endRead(at, 'all')),
  with_('end read', fc.constantFrom('all', 'one', 'none', 'fails'), (delivery, end) => delivery.endRead(0, end)),
  with_('deliver', place, (delivery, at) => delivery.answer(at, 'delivered')),
  with_('deliver', place, (delivery, at) => delivery.answer(at, 'delivered')),
  with_('fail', place, (delivery, at) => delivery.answer(at, 'failed')),
  with_('give up', place, (delivery, at) => delivery.answer(at, 'given up')),
  with_('answer with 429', place, (delivery, at) => delivery.answer(at, 'paused')),
  with_('store', place, (delivery, at) => delivery.store(at)),
  with_('settle', place, (delivery, at) => delivery.reportSettled(at)),
  ...Array.from({ length: 3 }, () => of('store and settle', settle)),
  of('deliver and settle', async (delivery) => {
    await delivery.answer(0, 'delivered')
    settle(delivery)
  }),
  with_('advance by', fc.constantFrom(1, 60, 200), (delivery, ms) => delivery.advance(ms)),
  of('pause', (delivery) => {
    delivery.target = undefined
    delivery.reportTarget()
  }),
  with_('resume at', fc.constantFrom('a', 'b'), (delivery, path) => {
    delivery.target = targetOf(path, 'ordered')
    delivery.reportTarget()
  }),
  of('resume unordered', (delivery) => {
    delivery.target = targetOf('a', 'unordered')
    delivery.reportTarget()
  }),
  of('lose the lease', (delivery) => {
    delivery.isLeased = false
  }),
  of('hear of the leases', (delivery) => delivery.reportTarget()),
  of('find the lease', (delivery) => delivery.findLease()),
  with_('elsewhere', fc.constantFrom('delivered', 'failed', 'probed'), (delivery, end) =>
    delivery.deliverElsewhere(end),
  ),
  with_('take back', position, (delivery, at) => delivery.takeBack(at)),
  of('hear of what was taken back', (delivery) => delivery.reportRetracted()),
  with_('replay', position, (delivery, at) => delivery.replay(at)),
  of('probe', (delivery) => delivery.probe()),
  of('drop everything', (delivery) => delivery.drop()),
  of('forget', (delivery) => delivery.forget()),
]

test('behavior: in any order of events, webhooks are sent in order, never twice concurrently, and none is lost', async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(happenings, { maxCommands: 60, size: 'max' }), mode, async (order, delivered) => {
      const delivery = new DeliveryModel(targetOf('a', delivered))
      await fc.asyncModelRun(() => ({ model: {}, real: delivery }), order)
      await delivery.drain()
    }),
    { numRuns: 150 * inject('rounds') },
  )
})
