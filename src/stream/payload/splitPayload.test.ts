import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InternalTransfer, RpcLog, RpcReceipt, RpcTransaction } from '../../chain/evm/rpc/rpc.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { FollowedBlock } from '../../sync/blockHandler.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { compileStream } from '../match/compileStream.ts'
import { definitionSchema } from '../streamDefinition.ts'
import type { Token } from './tokenReader.ts'
import { webhookPayload } from './webhookPayload.ts'

const word = (n: number) => n.toString(16).padStart(64, '0')
const hash = (n: number): Hex => `0x${word(n)}`
const address = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}`
const quantity = (n: number): Hex => `0x${n.toString(16)}`

/** A transaction with its logs. `tokens`: number of tokens that a log transfers, 0 for another kind of log. */
type Scripted = { matched: boolean; inner: number; logs: { tokens: number; dataWords: number }[] }

/** A block of these transactions, and the match of a stream that watches everything in it. */
function blockOf(scripted: readonly Scripted[], balances: boolean) {
  const logs: RpcLog[] = []
  const transactions: RpcTransaction[] = []
  const internalTransfers: InternalTransfer[] = []
  for (const [i, { inner, logs: own }] of scripted.entries()) {
    const common = { hash: hash(i), gas: '0x5', value: '0x0', transactionIndex: quantity(i) }
    transactions.push({ ...common, input: '0x', from: address(i), to: null } as unknown as RpcTransaction)
    for (let j = 0; j < inner; j++)
      internalTransfers.push({
        from: address(i),
        to: address(j),
        value: 5n,
        transactionHash: hash(i),
        gas: 2n,
      } as never)
    for (const { tokens, dataWords } of own) {
      const ids = Array.from({ length: tokens }, (_, n) => word(n)).join('')
      const batch = `${word(64)}${word(96 + 32 * tokens)}${word(tokens)}${ids}${word(tokens)}${ids}`
      const parties = [hash(1), hash(2), hash(3)]
      logs.push({
        address: address(7),
        topics:
          tokens === 0
            ? [hash(99)]
            : tokens === 1
              ? [tokenTopic.transfer, hash(i), hash(2)]
              : [tokenTopic.transferBatch, ...parties],
        data: tokens === 0 ? `0x${word(1).repeat(dataWords)}` : tokens === 1 ? hash(5) : `0x${batch}`,
        transactionHash: hash(i),
        transactionIndex: quantity(i),
        logIndex: quantity(logs.length),
        blockNumber: '0x1',
        blockHash: hash(1_000),
      })
    }
  }
  const block: Partial<FollowedBlock> = {
    header: {
      number: 1n,
      hash: hash(1_000),
      parentHash: hash(999),
      timestamp: 1n,
      logsBloom: null,
      transactionCount: 1,
    },
    transactions: async () => transactions,
    receipts: async () =>
      transactions.map((one) => ({ transactionHash: one.hash, status: '0x1' }) as unknown as RpcReceipt),
    balances: async (addresses) => addresses.map(BigInt),
  }
  const wanted = [
    { selectors: ['$from', '$to'], type: 'tx' },
    { selectors: ['$to'], type: 'erc20transfer' },
  ]
  const definition = definitionSchema.parse({ getNativeBalances: balances ? wanted : [] })
  const stream = compileStream({ id: 'a', partition: 0, chainId: 1n, tag: 'Ä "tag"', definition, fromBlock: 0n })
  const matched = scripted.flatMap((one, i) => (one.matched ? [hash(i)] : []))
  const own = { stream, logs, transactions: new Set(matched), internalTransfers }
  const token: Token = { name: 'Zwölf €', symbol: '12', decimals: 2, standard: 'ERC1155', unindexed: 'amount' }
  const reader = { read: async () => new Map([[address(7), token]]) }
  const pace = async () => undefined
  return { write: (maxBytes: number) => webhookPayload(own, block as FollowedBlock, { reader, maxBytes, pace }), own }
}

type Lists = Record<string, { logIndex?: string; hash?: string; address?: string }[]>
type Body = Lists & { nftApprovals: Lists; block: object }

/** Joins the records of all bodies in order, list by list. */
function joined(bodies: readonly Body[]): Lists {
  const all: Lists = {}
  for (const { nftApprovals, ...body } of bodies)
    for (const [list, records] of Object.entries({ ...body, ...nftApprovals }))
      if (Array.isArray(records)) all[list] = [...(all[list] ?? []), ...records]
  return all
}

/** Blocks with a match: without one, there is no webhook. */
const scripts = fc
  .array(
    fc.record({
      matched: fc.boolean(),
      inner: fc.integer({ min: 0, max: 3 }),
      logs: fc.array(
        fc.record({ tokens: fc.integer({ min: 0, max: 12 }), dataWords: fc.integer({ min: 0, max: 40 }) }),
        { maxLength: 5 },
      ),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .filter((script) => script.some(({ matched, inner, logs }) => matched || inner + logs.length > 0))

test('behavior: the parts contain all records in order, each part within the size limit or with a single record', async () => {
  const property = fc.asyncProperty(
    scripts,
    fc.boolean(),
    fc.integer({ min: 1_024, max: 20_000 }),
    async (script, balances, bound) => {
      const { write, own } = blockOf(script, balances)
      const [whole] = await write(100_000_000)
      const parts = await write(bound)
      expect(await write(bound)).toEqual(parts)
      const bodies = parts.map(({ body }) => JSON.parse(body) as Body)
      const { nativeBalances: balancesOfParts, ...lists } = joined(bodies)
      const { nativeBalances, ...wholeLists } = joined([JSON.parse(whole!.body)])
      expect(lists).toEqual(wholeLists)
      const addresses = (records: Lists[string] = []) => new Set(records.map((one) => one.address))
      expect(addresses(balancesOfParts)).toEqual(addresses(nativeBalances))
      const sum = (field: 'logs' | 'txs' | 'txsInternal') => parts.reduce((n, { counts }) => n + counts[field], 0)
      expect([sum('logs'), sum('txs'), sum('txsInternal')]).toEqual([
        own.logs.length,
        own.transactions.size,
        own.internalTransfers.length,
      ])
      for (const [i, part] of parts.entries()) {
        const { logs, txs, txsInternal, ...rest } = part.counts as Record<string, number>
        expect(rest).toEqual({})
        if (logs! + txs! + txsInternal! > 1) expect(Buffer.byteLength(part.body)).toBeLessThanOrEqual(bound)
        const indexes = new Set(bodies[i]!.logs!.map(({ logIndex }) => logIndex))
        for (const list of ['erc20Transfers', 'nftTransfers'])
          for (const { logIndex } of bodies[i]![list]!) expect(indexes).toContain(logIndex)
        expect(Object.keys(bodies[i]!)).toEqual(Object.keys(JSON.parse(whole!.body)))
      }
    },
  )
  await fc.assert(property, { numRuns: 60 })
})

test('behavior: the size limit counts bytes exactly, and a record above it is sent alone', async () => {
  const script = [
    {
      matched: true,
      inner: 0,
      logs: [
        { tokens: 1, dataWords: 0 },
        { tokens: 1, dataWords: 0 },
      ],
    },
  ]
  const { write } = blockOf(script, false)
  const [whole] = await write(100_000_000)
  const bytes = Buffer.byteLength(whole!.body)
  expect(bytes).toBeGreaterThan(whole!.body.length)
  expect((await write(bytes)).map(({ body }) => body)).toEqual([whole!.body])
  expect((await write(bytes - 1)).map(({ counts }) => counts)).toEqual([
    { logs: 1, txs: 1, txsInternal: 0 },
    { logs: 1, txs: 0, txsInternal: 0 },
  ])
  const large = { matched: false, inner: 0, logs: [{ tokens: 60, dataWords: 0 }] }
  const alone = await blockOf([...script, large, ...script], false).write(bytes)
  expect(alone.map(({ counts }) => counts.logs)).toEqual([2, 1, 2])
  expect(Buffer.byteLength(alone[1]!.body)).toBeGreaterThan(bytes)
})

test('behavior: a block with a hundred thousand matches is never serialized as one string', async () => {
  const logs = Array.from({ length: 100 }, () => ({ tokens: 0, dataWords: 4 }))
  const { write } = blockOf(
    Array.from({ length: 1_000 }, () => ({ matched: false, inner: 0, logs })),
    false,
  )
  const parts = await write(5_000_000)
  expect(parts.reduce((sum, { counts }) => sum + counts.logs, 0)).toBe(100_000)
  for (const { body } of parts) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(5_000_000)
  // All parts except the last one are full.
  for (const { body } of parts.slice(0, -1)) expect(Buffer.byteLength(body)).toBeGreaterThan(4_990_000)
})
