import fc from 'fast-check'
import { expect, test } from 'vitest'
import { add, addFrom, chainId } from '../../../test/stream/scriptedAddresses.ts'
import { end, logsOf, logsWithin, reportedLogs, transferBlocks } from '../../../test/stream/scriptedLogs.ts'
import { accountAddress, openScriptedStreams } from '../../../test/stream/scriptedStreams.ts'
import { mintBlocks, stepAll } from '../../../test/stream/scriptedTruth.ts'
import { updateStreamSchema } from '../demand.ts'

const finality = 6

test('default: an address added after the history started gets its history, and no log is delivered twice', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({ from: 2n })
  await add(t, id, 1)
  await t.settle()
  expect(await add(t, id, 2)).toEqual({ effectiveBlocks: { [chainId]: '2' } })
  transferBlocks(t)
  await t.settle()
  expect(await add(t, id, 2, 3)).toEqual({ effectiveBlocks: { [chainId]: '2' } })
  await end(t)
  expect(await reportedLogs(t, id)).toEqual(logsOf(t, [1, 2, 3], 2n))
  const ids = await t.db.rows<[bigint, bigint]>('SELECT count(*), count(DISTINCT id) FROM webhook')
  expect(ids[0]![0]).toBe(ids[0]![1])
})

test('behavior: the history of an address does not wait for earlier additions, which wait for final blocks', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({ from: 2n })
  await add(t, id, 1)
  mintBlocks(t, 12)
  await t.settle()
  for (const account of [2, 3]) {
    await add(t, id, account)
    await t.settle()
    await t.history()
  }
  const final = logsOf(t, [1, 2, 3], 2n, 10n)
  expect(await reportedLogs(t, id)).toEqual(expect.arrayContaining(final))
  expect(final).not.toEqual(logsOf(t, [1, 2], 2n, 10n))
  await end(t)
  expect(await reportedLogs(t, id)).toEqual(logsOf(t, [1, 2, 3], 2n))
})

test('behavior: an address removed and added again continues from there, because its history was already delivered', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({ from: 2n })
  await add(t, id, 1)
  await t.settle()
  await t.demand.removeAddresses(id, [accountAddress(1)])
  mintBlocks(t, 6)
  await t.settle()
  expect(await t.demand.listAddresses(id, { after: null, limit: 10 })).toMatchObject({ addresses: [], total: 0 })
  expect(await add(t, id, 1)).toEqual({ effectiveBlocks: { [chainId]: '17' } })
  mintBlocks(t, 6)
  await end(t)
  expect(await reportedLogs(t, id)).toEqual([...logsOf(t, [1], 2n, 10n), ...logsOf(t, [1], 17n)].sort())
})

test('behavior: without fromBlocks an address is watched from the next block on', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({})
  expect(await add(t, id, 1)).toEqual({ effectiveBlocks: { [chainId]: '11' } })
  await t.settle()
  mintBlocks(t, 2)
  await t.settle()
  expect(await add(t, id, 2)).toEqual({ effectiveBlocks: { [chainId]: '13' } })
  await end(t)
  expect(await reportedLogs(t, id)).toEqual(logsOf(t, [1], 11n))
})

test('behavior: the history of an address delivers no logs of another address that the stream missed at the time', async () => {
  await using t = await openScriptedStreams(finality)
  const id = await t.create({ from: 0n })
  await add(t, id, 1)
  transferBlocks(t)
  await t.settle()
  // The stream omits these blocks, because it resumes with `now`.
  await t.demand.setStatus(id, 'paused')
  transferBlocks(t)
  await t.settle()
  await t.demand.setStatus(id, 'active', 'now')
  await t.demand.update(id, updateStreamSchema.parse({ includeContractLogs: false }))
  transferBlocks(t)
  await t.settle()
  await t.demand.update(id, updateStreamSchema.parse({ includeContractLogs: true }))
  await add(t, id, 2)
  await end(t)
  // The logs of the first account that the stream received at the time, and all logs of the second one, also those with both.
  expect(await reportedLogs(t, id)).toEqual([...new Set([...logsOf(t, [1], 0n, 10n), ...logsOf(t, [2], 0n)])].sort())
})

test('behavior: a stream changed to all addresses gets the history of the added addresses only', async () => {
  await using t = await openScriptedStreams(finality)
  const id = await t.create({ from: 0n })
  await add(t, id, 1)
  transferBlocks(t)
  await t.settle()
  await add(t, id, 2)
  await t.demand.update(id, updateStreamSchema.parse({ allAddresses: true }))
  await end(t)
  expect(await reportedLogs(t, id)).toEqual(logsOf(t, [1, 2], 0n))
})

test('behavior: pending history of added addresses is deleted with its stream, and waits while the stream is paused', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const [removed, paused] = [await t.create({ from: 0n }), await t.create({ from: 0n })]
  for (const id of [removed, paused]) await add(t, id, 1)
  await t.settle()
  for (const id of [removed, paused]) await add(t, id, 2)
  await t.demand.remove(removed)
  await t.demand.setStatus(paused, 'paused')
  mintBlocks(t, 12)
  await t.settle()
  await t.history()
  expect(await t.db.rows('SELECT stream_id::text, next_block FROM stream_addition')).toEqual([[paused, 0n]])
  await t.demand.setStatus(paused, 'active')
  await end(t)
  expect(await reportedLogs(t, paused)).toEqual(logsOf(t, [1, 2], 0n))
})

test('behavior: logs of an address removed before its history was read are not repeated in the history of another', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({})
  const started = BigInt((await add(t, id, 1)).effectiveBlocks[chainId]!)
  await t.settle()
  transferBlocks(t)
  await stepAll(t)
  // In blocks where both addresses are watched, logs with both were already sent for the first one.
  await addFrom(t, id, 2n, 2)
  await addFrom(t, id, started - 1n, 1)
  const removed = BigInt((await t.demand.removeAddresses(id, [accountAddress(1)])).effectiveBlocks[chainId]!)
  transferBlocks(t)
  await end(t)
  const spans = [
    { account: 1, from: started - 1n, to: removed },
    { account: 2, from: 2n, to: undefined },
  ]
  expect(await reportedLogs(t, id)).toEqual(logsWithin(t, spans))
})

test('behavior: history of addresses removed before the stream started delivers each log once, and a returning address continues', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({ from: 9n })
  await addFrom(t, id, 1n, 2)
  await addFrom(t, id, 0n, 1)
  await add(t, id, 3)
  const removed = await t.demand.removeAddresses(id, [1, 2, 3].map(accountAddress))
  expect(removed).toEqual({ effectiveBlocks: { [chainId]: '9' } })
  expect(await t.demand.listAddresses(id, { after: null, limit: 10 })).toMatchObject({ addresses: [], total: 0 })
  expect(await add(t, id, 2)).toEqual({ effectiveBlocks: { [chainId]: '9' } })
  transferBlocks(t)
  await end(t)
  expect(await reportedLogs(t, id)).toEqual([...new Set([...logsOf(t, [1], 0n, 8n), ...logsOf(t, [2], 1n)])].sort())
})

const transfer = fc.record({ token: fc.nat(50), from: fc.nat(4), to: fc.integer({ min: 1, max: 4 }) })
const script = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ blocks: fc.array(fc.array(transfer, { maxLength: 3 }), { maxLength: 8 }) }) },
    { weight: 2, arbitrary: fc.record({ drop: fc.nat(4) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        watch: fc.integer({ min: 1, max: 4 }),
        from: fc.option(fc.bigInt({ min: 0n, max: 10n })),
      }),
    },
    { weight: 2, arbitrary: fc.record({ unwatch: fc.integer({ min: 1, max: 4 }) }) },
    { weight: 2, arbitrary: fc.constant('history' as const) },
    { weight: 2, arbitrary: fc.constant('pause' as const) },
  ),
  { minLength: 4, maxLength: 16 },
)

test('behavior: with any additions and removals of addresses, each log of a watched address is delivered once', async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.boolean(), fc.boolean(), async (ops, requested, started) => {
      await using t = await openScriptedStreams(finality)
      transferBlocks(t)
      await stepAll(t)
      const id = await t.create(requested ? { from: 3n } : {})
      const watched = new Map<number, { from: bigint; to: bigint | undefined }[]>()
      const blockOf = ({ effectiveBlocks }: { effectiveBlocks: Record<string, string> }) =>
        BigInt(effectiveBlocks[chainId]!)
      const last = (account: number) => watched.get(account)?.at(-1)
      async function watch(account: number, requesting: bigint | null): Promise<void> {
        const spans = watched.get(account) ?? []
        watched.set(account, spans)
        // An address cannot start later than the stream's own history.
        const given =
          (requesting ?? 11n) <= (requested ? 3n : 10n) && spans.every(({ to }) => to === undefined) ? requesting : null
        const from = blockOf(await (given === null ? add(t, id, account) : addFrom(t, id, given, account)))
        if (spans.length === 0 || last(account)!.to !== undefined) spans.push({ from, to: undefined })
        else if (from < last(account)!.from) last(account)!.from = from
      }
      async function unwatch(account: number): Promise<void> {
        const to = blockOf(await t.demand.removeAddresses(id, [accountAddress(account)]))
        const span = last(account)
        if (span && span.to === undefined) span.to = to
      }
      await watch(1, null)
      if (started) await t.settle()
      let paused = false
      for (const op of ops) {
        if (op === 'history') await t.history()
        else if (op === 'pause') {
          paused = !paused
          await t.demand.setStatus(id, paused ? 'paused' : 'active')
        } else if ('watch' in op) {
          await watch(op.watch, op.from)
        } else if ('unwatch' in op) {
          await unwatch(op.unwatch)
        } else {
          if ('drop' in op) t.chain.drop(op.drop)
          for (const block of 'drop' in op ? Array.from({ length: op.drop + 1 }, () => []) : op.blocks)
            t.chain.add(block)
          await stepAll(t)
        }
      }
      if (paused) await t.demand.setStatus(id, 'active')
      await end(t)
      const spans = [...watched].flatMap(([account, own]) => own.map((span) => ({ account, ...span })))
      expect(await reportedLogs(t, id)).toEqual(logsWithin(t, spans))
    }),
    { numRuns: 6, endOnFailure: true },
  )
})

test('behavior: logs of an address that was removed, or removed and added again, are not repeated with a later address', async () => {
  await using t = await openScriptedStreams(finality)
  transferBlocks(t)
  await stepAll(t)
  const id = await t.create({ from: 0n })
  await add(t, id, 1, 2)
  await t.settle()
  await t.demand.removeAddresses(id, [1, 2].map(accountAddress))
  transferBlocks(t)
  await t.settle()
  await add(t, id, 2)
  transferBlocks(t)
  await t.settle()
  await add(t, id, 3)
  transferBlocks(t)
  await end(t)
  const expected = [...logsOf(t, [1, 2, 3], 0n, 10n), ...logsOf(t, [3], 11n, 20n), ...logsOf(t, [2, 3], 21n)]
  expect(await reportedLogs(t, id)).toEqual(expected.sort())
})
