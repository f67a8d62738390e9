import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { decodeEventLog, encodeAbiParameters, encodeEventTopics, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import { tokenTopic as topic } from '../../chain/evm/source/tokenEvents.ts'
import type { Hex } from '../../util/hex.ts'
import { decodeTransfers, maxTokensInLog, type Standard, surveyLogs } from './decodeTransfers.ts'
import { positionOf } from './position.ts'

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed id)',
  'event ConsecutiveTransfer(uint256 indexed fromTokenId, uint256 toTokenId, address indexed from, address indexed to)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])

function logOf(topics: Hex[], data: Hex): RpcLog {
  return {
    address: '0x00000000000000000000000000000000000000aa',
    topics,
    data,
    blockNumber: '0x10',
    blockHash: `0x${'1'.repeat(64)}`,
    transactionHash: `0x${'2'.repeat(64)}`,
    transactionIndex: '0x0',
    logIndex: '0x3',
  }
}

function decode(log: RpcLog, standard: Standard, idInData = false) {
  const form = { standard, idInData }
  const transfers = [...decodeTransfers([log], form)]
  const survey = surveyLogs([log], form)
  expect(survey.transfers).toBe(transfers.length)
  return { transfers, skipped: survey.oversized.map(({ transfers }) => transfers) }
}

const erc721 = { standard: 'ERC721', idInData: false } as const
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const addressWord = (digit: string): Hex => `0x${digit.repeat(40).padStart(64, '0')}`
const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })

test('default: decodes an ERC-721 Transfer with its position', () => {
  const { transfers } = decode(
    logOf([topic.transfer, addressWord('0'), addressWord('b'), `0x${word(7n)}`], '0x'),
    'ERC721',
  )
  expect(transfers).toEqual([
    {
      position: positionOf(16, 3),
      item: 0,
      tokenId: '7',
      from: '0'.repeat(40),
      to: 'b'.repeat(40),
      amount: '1',
      operator: null,
      transactionHash: '2'.repeat(64),
      transactionIndex: 0,
      blockHash: '1'.repeat(64),
      blockTime: null,
    },
  ])
})

test('behavior: a transfer has its ERC-1155 operator, its transaction index, and the block time that the log reports', () => {
  const topics: Hex[] = [topic.transferSingle, addressWord('c'), addressWord('a'), addressWord('b')]
  const log = { ...logOf(topics, `0x${word(7n)}${word(2n)}`), transactionIndex: '0x1f' as const }
  const reported = (blockTimestamp: unknown) => decode({ ...log, blockTimestamp }, 'ERC1155').transfers[0]
  expect(reported('0x6553f100')).toMatchObject({
    operator: 'c'.repeat(40),
    transactionIndex: 31,
    blockTime: 1_700_000_000,
  })
  expect(reported(1_700_000_000)).toMatchObject({ blockTime: 1_700_000_000 })
  // Nodes return zero for an unknown time. The last value is in milliseconds.
  for (const none of [undefined, null, '0x0', 0, '', 'soon', -1, '0x18bcfe56800'])
    expect(reported(none), String(none)).toMatchObject({ blockTime: null })
})

test('behavior: decodes token ids up to 2^256-1 exactly', () => {
  fc.assert(
    fc.property(uint256, (id) => {
      const { transfers } = decode(
        logOf([topic.transfer, addressWord('a'), addressWord('b'), `0x${word(id)}`], '0x'),
        'ERC721',
      )
      expect(transfers[0]?.tokenId).toBe(String(id))
    }),
  )
})

test('behavior: decodes a Transfer without indexed arguments', () => {
  const data: Hex = `0x${addressWord('a').slice(2)}${addressWord('b').slice(2)}${word(5n)}`
  const [transfer] = decode(logOf([topic.transfer], data), 'ERC721').transfers
  expect(transfer).toMatchObject({ from: 'a'.repeat(40), to: 'b'.repeat(40), tokenId: '5' })
})

test('behavior: a Transfer with its value in the data moves a token only if the value is a token id', () => {
  const log = logOf([topic.transfer, addressWord('a'), addressWord('b')], `0x${word(5n)}`)
  expect(decode(log, 'ERC721').transfers).toEqual([])
  const [transfer] = decode(log, 'ERC721', true).transfers
  expect(transfer).toMatchObject({ from: 'a'.repeat(40), to: 'b'.repeat(40), tokenId: '5', amount: '1', item: 0 })
  expect(decode(log, 'ERC1155', true).transfers).toEqual([])
})

test('behavior: ConsecutiveTransfer moves each id of the range, including both ends', () => {
  const log = logOf([topic.consecutiveTransfer, `0x${word(3n)}`, addressWord('0'), addressWord('b')], `0x${word(5n)}`)
  expect(decode(log, 'ERC721').transfers.map((t) => [t.item, t.tokenId])).toEqual([
    [0, '3'],
    [1, '4'],
    [2, '5'],
  ])
})

test('behavior: a ConsecutiveTransfer of all possible ids is skipped and reported', () => {
  const log = logOf(
    [topic.consecutiveTransfer, `0x${word(0n)}`, addressWord('0'), addressWord('b')],
    `0x${word(2n ** 256n - 1n)}`,
  )
  const { transfers, skipped } = decode(log, 'ERC721')
  expect(transfers).toEqual([])
  expect(skipped).toEqual([2n ** 256n])
})

test('behavior: any number of logs move all their tokens, and only a log with too many tokens is skipped', () => {
  const log = (first: number, tokens: number) =>
    logOf(
      [topic.consecutiveTransfer, `0x${word(BigInt(first))}`, addressWord('0'), addressWord('b')],
      `0x${word(BigInt(first + tokens - 1))}`,
    )
  const logs = Array.from({ length: 4 }, (_, i) => log(1 + i * maxTokensInLog, maxTokensInLog))
  const all = [log(0, maxTokensInLog + 1), ...logs]
  expect(decodeTransfers(all, erc721).reduce((count) => count + 1, 0)).toBe(4 * maxTokensInLog)
  expect(surveyLogs(all, erc721)).toMatchObject({
    transfers: 4 * maxTokensInLog,
    rangeMoves: 4 * (maxTokensInLog - 1),
    oversized: [{ reason: 'wide', transfers: BigInt(maxTokensInLog + 1) }],
  })
})

test('behavior: a TransferBatch with more ids than a log may contain is skipped completely', () => {
  const count = maxTokensInLog + 1
  const words = [64n, BigInt(64 + 32 + 32 * count), BigInt(count)].map(word)
  const ids = Array.from({ length: count }, (_, i) => word(BigInt(i)))
  const data: Hex = `0x${[...words, ...ids, word(BigInt(count)), ...ids].join('')}`
  const log = logOf([topic.transferBatch, addressWord('c'), addressWord('a'), addressWord('b')], data)
  expect(decode(log, 'ERC1155')).toEqual({ transfers: [], skipped: [BigInt(count)] })
})

test('behavior: TransferBatch agrees with a full ABI decoder', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(uint256, uint256), { maxLength: 8 }), (pairs) => {
      const ids = pairs.map(([id]) => id)
      const amounts = pairs.map(([, amount]) => amount)
      const topics = encodeEventTopics({
        abi,
        eventName: 'TransferBatch',
        args: { operator: addressWordToAddress('c'), from: addressWordToAddress('a'), to: addressWordToAddress('b') },
      }) as Hex[]
      const data = encodeAbiParameters([{ type: 'uint256[]' }, { type: 'uint256[]' }], [ids, amounts])
      const decoded = decodeEventLog({ abi, eventName: 'TransferBatch', topics: topics as [Hex, ...Hex[]], data })
      const { transfers } = decode(logOf(topics, data), 'ERC1155')
      expect(transfers.map((t) => [BigInt(t.tokenId), BigInt(t.amount)])).toEqual(
        decoded.args.ids.map((id, i) => [id, decoded.args.values[i]]),
      )
    }),
  )
})

function addressWordToAddress(digit: string): Hex {
  return `0x${digit.repeat(40)}`
}

test('error: no topics or data make the decoder throw or hang', () => {
  const hexOf = (max: number) =>
    fc.uint8Array({ maxLength: max }).map((bytes): Hex => `0x${Buffer.from(bytes).toString('hex')}`)
  const small = fc.constantFrom(0n, 1n, 2n, 31n, 32n, 64n, 96n, 128n, 2n ** 63n, 2n ** 256n - 1n).map(word)
  const data = fc.oneof(
    hexOf(200),
    fc.array(small, { maxLength: 8 }).map((words): Hex => `0x${words.join('')}`),
  )
  const topics = fc.tuple(fc.constantFrom(...Object.values(topic)), fc.array(small, { maxLength: 3 }))
  fc.assert(
    fc.property(topics, data, fc.constantFrom<Standard>('ERC721', 'ERC1155'), ([first, rest], bytes, standard) => {
      const log = logOf([first, ...rest.map((w): Hex => `0x${w}`)], bytes)
      for (const transfer of decode(log, standard).transfers.slice(0, 100)) {
        expect(transfer.tokenId).toMatch(/^\d{1,78}$/)
        expect(transfer.amount).toMatch(/^\d{1,78}$/)
        expect(transfer.from + transfer.to).toMatch(/^[0-9a-f]{80}$/)
      }
    }),
    { numRuns: 2_000 },
  )
})

const recorded = new URL('../../../../shared/data/evm/nft_logs.jsonl.gz', import.meta.url)

test.skipIf(!existsSync(recorded))(
  'behavior: recorded mainnet logs decode into transfers without loss (needs the recorded data)',
  () => {
    const lines = gunzipSync(readFileSync(recorded)).toString().trim().split('\n')
    const logs = lines.map((line) => JSON.parse(line) as RpcLog & { kind: string })
    expect(logs).toHaveLength(576)
    let transfers = 0
    for (const log of logs) {
      const standard: Standard = log.topics[0] === topic.transfer ? 'ERC721' : 'ERC1155'
      const decoded = decode(log, standard).transfers
      const expected = log.topics[0] === topic.transferBatch ? Number.parseInt(log.data.slice(2 + 128, 2 + 192), 16) : 1
      expect(decoded, log.kind).toHaveLength(expected)
      if (log.topics.length === 4 && log.topics[0] !== topic.transferBatch) {
        const args = decodeEventLog({ abi, topics: log.topics as [Hex, ...Hex[]], data: log.data })
          .args as unknown as Record<string, unknown>
        expect(BigInt(decoded[0]!.tokenId)).toBe(args.id)
        expect(`0x${decoded[0]!.to}`).toBe(String(args.to).toLowerCase())
        expect(`0x${decoded[0]!.from}`).toBe(String(args.from).toLowerCase())
      }
      transfers += decoded.length
    }
    expect(transfers).toBeGreaterThanOrEqual(576)
  },
)
