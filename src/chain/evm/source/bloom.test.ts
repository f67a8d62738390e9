import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Hex } from '../../../util/hex.ts'
import type { RpcLog } from '../rpc/rpc.ts'
import { coversBloom, createBlooms, isEmptyBloom, parseBloom } from './bloom.ts'

const folder = new URL('../../../../../shared/data/evm/rpc/', import.meta.url)
const recorded = <T>(name: string): T[] =>
  gunzipSync(readFileSync(new URL(name, folder)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)

const log = (address: Hex, topics: Hex[]) => ({ address, topics }) as RpcLog

test('default: a bloom matches the address and topics of its logs, and hardly anything else', () => {
  const blooms = createBlooms()
  const address = '0x0f572e5295c57f15886f9b263e2f6d2d6c7b5ec6'
  const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
  const bloom = blooms.of([log(address, [topic])])
  expect(blooms.hits(bloom, address)).toBe(true)
  expect(blooms.hits(bloom, topic)).toBe(true)
  const others = Array.from({ length: 1_000 }, (_, i): Hex => `0x${(i + 1).toString(16).padStart(40, '0')}`)
  expect(others.filter((other) => blooms.hits(bloom, other))).toEqual([])
  expect(coversBloom(blooms.of([log(address, [topic]), log(others[0]!, [])]), bloom)).toBe(true)
  expect(coversBloom(blooms.of([log(address, [])]), bloom)).toBe(false)
  expect(isEmptyBloom(blooms.of([]))).toBe(true)
  expect(parseBloom(null)).toBeUndefined()
})

type Receipts = { response: { result?: { logsBloom: Hex; logs: RpcLog[] }[] | null } }

test.skipIf(!existsSync(folder))(
  'behavior: computes the blooms of recorded receipts (skipped where the data is absent)',
  () => {
    const blooms = createBlooms()
    const receipts = ['mainnet__eth_getBlockReceipts.jsonl.gz', 'arb-sepolia__eth_getBlockReceipts.jsonl.gz']
      .flatMap((name) => recorded<Receipts>(name))
      .flatMap(({ response }) => response.result ?? [])
    expect(receipts.length).toBeGreaterThan(300)
    for (const receipt of receipts)
      expect(Buffer.from(blooms.of(receipt.logs)).equals(parseBloom(receipt.logsBloom)!)).toBe(true)
  },
)
