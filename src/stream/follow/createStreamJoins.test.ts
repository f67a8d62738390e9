import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accountAddress, openScriptedStreams } from '../../../test/stream/scriptedStreams.ts'
import { expectTruth, mint, mintBlocks, type Skipped, type Span, stepAll } from '../../../test/stream/scriptedTruth.ts'
import type { EffectiveBlocks } from '../demand.ts'

const never = new AbortController().signal

test('behavior: while a node hangs on the data of a joining stream, the chain and the other streams continue', async () => {
  await using t = await openScriptedStreams(8)
  mintBlocks(t, 12)
  await stepAll(t)
  const other = await t.create({ all: true })
  const { requested, open } = t.hold()
  const late = await t.create({ from: 6n, all: true, txs: true })
  await stepAll(t)
  await requested
  mintBlocks(t, 5)
  await stepAll(t)
  t.chain.drop(3)
  mintBlocks(t, 20)
  await stepAll(t)
  expect(await t.states()).toEqual({ [other]: 'live', [late]: 'history' })
  await expectTruth(t, other, undefined, { from: 13n })
  open()
  await t.settle()
  await expectTruth(t, late, undefined, { from: 6n })
  mintBlocks(t, 5)
  await t.settle()
  await expectTruth(t, late, undefined, { from: 6n })
  await expectTruth(t, other, undefined, { from: 13n })
})

test('behavior: a stream joins a chain whose every block finalizes another, from where its history ends', async () => {
  await using t = await openScriptedStreams(4)
  mintBlocks(t, 8)
  await stepAll(t)
  const { requested, open } = t.hold()
  const id = await t.create({ from: 6n, all: true, txs: true })
  await stepAll(t)
  await requested
  for (let i = 0; i < 6; i++) {
    mintBlocks(t, 1)
    await stepAll(t)
  }
  open()
  await t.history()
  expect(await t.states()).toEqual({ [id]: 'history' })
  // The test reads no more history from here on, so the started join must end by itself.
  for (let i = 0; (await t.states())[id] !== 'live'; i++) {
    expect(i).toBeLessThan(100)
    mintBlocks(t, 1)
    await stepAll(t)
  }
  await expectTruth(t, id, undefined, { from: 6n })
})

test('error: a worker that lost the chain during a read joins no stream, even if the cursor has not moved', async () => {
  await using t = await openScriptedStreams(8)
  mintBlocks(t, 6)
  await stepAll(t)
  const { requested, open } = t.hold()
  await t.create({ from: 0n, all: true, txs: true })
  const last = (await t.chain.source.headers(6n, 6n))[0]!
  const cursor = { number: last.number, hash: last.hash, finalized: -1n, worker: t.worker }
  expect(await t.handler.join(cursor, never)).toBe(false)
  await requested
  await t.db.run(`UPDATE lease SET worker_id = NULL WHERE kind = 'chain'`)
  open()
  for (let i = 0; i < 100; i++) expect(await t.handler.join(cursor, never)).toBe(false)
  expect(Object.values(await t.states())).toEqual(['history'])
  expect(await t.db.rows('SELECT count(*) FROM webhook')).toEqual([[0n]])
  await t.db.run(`UPDATE lease SET worker_id = $1 WHERE kind = 'chain'`, [t.worker])
  while (!(await t.handler.join(cursor, never)));
  expect(Object.values(await t.states())).toEqual(['live'])
})

test('behavior: a stream paused or deleted while it joins gets nothing, and everything once it is resumed', async () => {
  await using t = await openScriptedStreams(8)
  mintBlocks(t, 6)
  await stepAll(t)
  const { requested, open } = t.hold()
  const ids = [] as string[]
  for (let i = 0; i < 2; i++) ids.push(await t.create({ from: 1n, all: true, txs: true }))
  await stepAll(t)
  await requested
  await t.demand.setStatus(ids[0]!, 'paused')
  await t.demand.remove(ids[1]!)
  mintBlocks(t, 2)
  open()
  for (let i = 0; i < 20; i++) await stepAll(t)
  expect(await t.db.rows('SELECT count(*) FROM webhook')).toEqual([[0n]])
  await t.demand.setStatus(ids[0]!, 'active')
  mintBlocks(t, 2)
  while ((await t.states())[ids[0]!] !== 'live') {
    await t.history()
    await stepAll(t)
  }
  // The history of this stream had not started, so changes until then apply to all of it.
  await expectTruth(t, ids[0]!, undefined, { from: 1n })
})

const blockOf = (blocks: EffectiveBlocks) => BigInt(blocks['0x7a69']!)

const blocks = (most: number) => fc.array(fc.boolean(), { maxLength: most })
const script = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ add: blocks(6) }) },
    { weight: 3, arbitrary: fc.record({ drop: fc.nat(12), add: blocks(14) }) },
    { weight: 2, arbitrary: fc.record({ toggle: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 2, arbitrary: fc.record({ pause: fc.nat(1) }) },
    { weight: 1, arbitrary: fc.record({ pause: fc.nat(1), now: fc.constant(true) }) },
    { weight: 2, arbitrary: fc.constant('hold' as const) },
    { weight: 2, arbitrary: fc.constant('open' as const) },
    { weight: 2, arbitrary: fc.constant('history' as const) },
    { weight: 1, arbitrary: fc.constant('create' as const) },
  ),
  { minLength: 4, maxLength: 16 },
)

test('behavior: with any chain, node and owner events during joins, streams get what matching all blocks in order gives', async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.integer({ min: 12, max: 15 }), fc.boolean(), async (ops, finality, txs) => {
      await using t = await openScriptedStreams(finality)
      mintBlocks(t, 5)
      await stepAll(t)
      type Stream = { id: string; spans: Span[]; skipped: Skipped[]; paused: boolean }
      const streams: Stream[] = []
      let release = () => {}
      let final = t.chain.head() - BigInt(finality)
      async function toggle(stream: Stream, account: number): Promise<void> {
        const watched = stream.spans.find((span) => span.account === account && span.to === undefined)
        const change = watched ? t.demand.removeAddresses : t.demand.addAddresses
        await change(stream.id, [accountAddress(account)])
        const block = await t.lastChange(stream.id)
        if (watched) watched.to = block
        else stream.spans.push({ account, from: block, to: undefined })
      }
      async function create(): Promise<void> {
        const head = Number(t.chain.head())
        const id = await t.create({ from: BigInt(Math.floor(head / 2)), txs })
        const stream = { id, spans: [], skipped: [], paused: false }
        await toggle(stream, 1)
        streams.push(stream)
      }
      async function pause(stream: Stream, now = false): Promise<void> {
        const { id, skipped, paused } = stream
        const place = await t.demand.setStatus(id, 'paused')
        stream.paused = !paused
        if (!paused) return
        const changed = await t.lastChange(id)
        const { effectiveBlocks } = await t.demand.setStatus(id, 'active', now ? 'now' : 'pause')
        // Changes apply in order. If a reorganisation removed blocks below the last change, the stream needs the blocks that replace them.
        const from = blockOf(place.effectiveBlocks)
        if (now) skipped.push({ from: from > changed ? from : changed, to: blockOf(effectiveBlocks) })
        else expect(effectiveBlocks).toEqual(place.effectiveBlocks)
      }
      await create()
      for (const op of ops) {
        if (op === 'hold') {
          release()
          release = t.hold().open
        } else if (op === 'open') release()
        else if (op === 'history') {
          release()
          await t.history()
        } else if (op === 'create') await create()
        else if ('toggle' in op) await toggle(streams[op.toggle % streams.length]!, op.toggle)
        else if ('pause' in op) await pause(streams[op.pause % streams.length]!, 'now' in op)
        else {
          const deepest = Number(t.chain.head() - (final > 0n ? final : 0n))
          const drop = Math.min('drop' in op ? op.drop : 0, deepest)
          t.chain.drop(drop)
          for (const filled of op.add) t.chain.add(filled ? mint(Number(t.chain.head())) : [])
          // A chain that only lost blocks looks like a lagging node until it continues.
          if (drop >= op.add.length) for (let i = op.add.length; i <= drop; i++) t.chain.add([])
          const now = t.chain.head() - BigInt(finality)
          if (now > final) final = now
          // A live stream needs the delayed data.
          if (txs && Object.values(await t.states()).includes('live')) release()
          await stepAll(t)
        }
      }
      release()
      for (const stream of streams) if (stream.paused) await pause(stream)
      t.chain.add(mint(1))
      await t.settle()
      for (const { id, spans, skipped } of streams) await expectTruth(t, id, spans, { skipped })
    }),
    // A run that hangs fails and shows its script.
    { numRuns: 6, timeout: 120_000 },
  )
})
