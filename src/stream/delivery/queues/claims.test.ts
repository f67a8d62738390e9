import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ClaimOwner, createClaims } from './claims.ts'

type Model = Map<number, 'loaded' | 'in flight' | 'made'>
type Real = { claims: ReturnType<typeof createClaims<ClaimOwner>>; owner: ClaimOwner }

const attempt = (position: number) => ({ position: BigInt(position), replay: 0, failures: 0 })
const partition = 7

/** Moves an attempt if the model allows it, and expects a rejection otherwise. */
class Move implements fc.Command<Model, Real> {
  readonly position: number
  readonly event: 'forget' | 'send' | 'abort' | 'complete' | 'settle'
  constructor(position: number, event: Move['event']) {
    this.position = position
    this.event = event
  }
  check = () => true
  run(model: Model, { claims, owner }: Real): void {
    const from = {
      forget: 'loaded',
      send: 'loaded',
      abort: 'in flight',
      complete: 'in flight',
      settle: 'made',
    } as const
    const to = { forget: undefined, send: 'in flight', abort: undefined, complete: 'made', settle: undefined } as const
    const move = () => claims.move(attempt(this.position), this.event)
    if (model.get(this.position) !== from[this.event]) {
      expect(move).toThrow(TypeError)
      return
    }
    move()
    const next = to[this.event]
    if (next) model.set(this.position, next)
    else model.delete(this.position)
    expectSame(model, { claims, owner })
  }
  toString = () => `${this.event} ${this.position}`
}

class Take implements fc.Command<Model, Real> {
  readonly position: number
  constructor(position: number) {
    this.position = position
  }
  check = () => true
  run(model: Model, real: Real): void {
    const free = !model.has(this.position)
    expect(real.claims.take(real.owner, attempt(this.position))).toBe(free)
    if (free) model.set(this.position, 'loaded')
    expectSame(model, real)
  }
  toString = () => `take ${this.position}`
}

function expectSame(model: Model, { claims, owner }: Real): void {
  expect(owner.held).toBe(model.size)
  expect(claims.busy(partition)).toBe([...model.values()].some((claim) => claim !== 'loaded'))
}

test('behavior: in any order of events an attempt is sent only after it was claimed, and claimed only while free', () => {
  const position = fc.nat({ max: 3 })
  const event = fc.constantFrom<Move['event']>('forget', 'send', 'abort', 'complete', 'settle')
  const commands = [
    position.map((at) => new Take(at)),
    fc.tuple(position, event).map(([at, what]) => new Move(at, what)),
  ]
  fc.assert(
    fc.property(fc.commands(commands, { maxCommands: 60 }), (order) => {
      const setup = () => ({
        model: new Map() as Model,
        real: { claims: createClaims<ClaimOwner>(), owner: { held: 0, stream: { partition } } },
      })
      fc.modelRun(setup, order)
    }),
    { numRuns: 2_000 },
  )
})

test('behavior: an attempt settled during a read cannot be claimed from that read, but can from the next one', async () => {
  const claims = createClaims<ClaimOwner>()
  const owner = { held: 0, stream: { partition } }
  claims.take(owner, attempt(1))
  for (const event of ['send', 'complete'] as const) claims.move(attempt(1), event)
  await claims.reading(async () => {
    claims.move(attempt(1), 'settle')
    expect(claims.take(owner, attempt(1))).toBe(false)
    // The next attempt of the webhook counts as another one.
    expect(claims.take(owner, { ...attempt(1), failures: 1 })).toBe(true)
  })
  expect(await claims.reading(async () => claims.take(owner, attempt(1)))).toBe(true)
})
