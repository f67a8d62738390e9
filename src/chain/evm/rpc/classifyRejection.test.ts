import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { classifyRejection } from './classifyRejection.ts'

const recorded = new URL('../../../../../shared/data/evm/provider_errors.jsonl', import.meta.url)

/** Classes of the recorded file with the same action as one of ours. */
const same: Record<string, string> = {
  missing_history: 'pruned',
  state_unavailable: 'pruned',
  reversed_or_beyond_head: 'beyond_head',
}

type Line = { code?: number; message: string; data?: unknown; class: string; cap?: number; http?: unknown }

test.skipIf(!existsSync(recorded))(
  'behavior: classifies every recorded rejection of a provider (skipped where the data is absent)',
  () => {
    const lines = readFileSync(recorded, 'utf8').trim().split('\n')
    expect(lines).toHaveLength(78)
    const wrong = lines.flatMap((text) => {
      const line = JSON.parse(text) as Line
      const status = typeof line.http === 'number' ? { httpStatus: line.http } : {}
      const rejection = classifyRejection({ code: line.code, message: line.message, data: line.data, ...status })
      const expected = {
        class: same[line.class] ?? line.class,
        // The recorded caps of other classes are numbers of logs, not of blocks.
        cap: line.class === 'range_cap' && line.cap !== undefined ? BigInt(line.cap) : undefined,
      }
      const got = { class: rejection.class, cap: rejection.cap }
      return expected.class === got.class && expected.cap === got.cap ? [] : [{ message: line.message, expected, got }]
    })
    expect(wrong).toEqual([])
  },
)

test.each([
  ['range 1000000 exceeds limit of 10000', -32602, { class: 'range_cap', cap: 10_000n }],
  ['maximum [from, to] blocks distance: 2000', -32000, { class: 'range_cap', cap: 2_000n }],
  ['eth_getLogs is limited to a 10,000 range', -32614, { class: 'range_cap', cap: 10_000n }],
  ['eth_getLogs range is too large, max is 1k blocks', undefined, { class: 'range_cap', cap: 1_000n }],
  [
    'requested too many blocks from 1048576 to 17825792, maximum is set to 30',
    -32000,
    { class: 'range_cap', cap: 30n },
  ],
  ['block range too large, max range: {range}', -32005, { class: 'range_cap' }],
  ['logs matched by query exceeds limit of 10000', -32000, { class: 'result_cap' }],
  [
    'query exceeds max results 20000, retry with the range 25683953-25685027',
    -32602,
    { class: 'result_cap', suggestedWidth: 1_075n },
  ],
  [
    'Query timeout exceeded. Consider reducing your block range. Based on your parameters and the response size limit, this block range should work: [0x0, 0x1360b8a]',
    undefined,
    { class: 'timeout', suggestedWidth: 0x1360b8bn },
  ],
  ['out of gas', -32000, { class: 'out_of_gas' }],
  ['EVM error: OutOfGas', undefined, { class: 'out_of_gas' }],
  ['gas required exceeds allowance (5000000)', -32000, { class: 'out_of_gas' }],
  ['execution reverted: out of gas', 3, { class: 'reverted' }],
  ['limit exceeded', -32005, { class: 'method_disabled' }],
  ['daily request count exceeded, request rate limited', -32005, { class: 'rate_limit' }],
  ['block range extends beyond current head block', -32602, { class: 'beyond_head' }],
  ['unknown block', -32000, { class: 'beyond_head' }],
  // CometBFT and the Cosmos SDK (Cronos, Evmos), Flow, Sei, zkSync, Kaia and Hardhat.
  ['cannot query with height in the future; please provide a valid height', -32000, { class: 'beyond_head' }],
  [
    'failed to execute script at height: 5, with: invalid height not in available range: 5',
    -32000,
    { class: 'pruned' },
  ],
  ['height 9 must be less than or equal to the current blockchain height 8', -32603, { class: 'beyond_head' }],
  ['height 5 is not available, lowest height is 100', -32603, { class: 'pruned' }],
  [
    'rpc error: code = InvalidArgument desc = failed to load state at height 5; version does not exist (latest height: 99)',
    -32000,
    { class: 'pruned' },
  ],
  ['requested height 9 is not yet available; safe latest is 8', -32000, { class: 'beyond_head' }],
  ["Block with such an ID doesn't exist yet", -32602, { class: 'beyond_head' }],
  ['the block does not exist (block number: 9)', -32000, { class: 'beyond_head' }],
  ['the method trace_block does not exist/is not available', -32601, { class: 'method_missing' }],
  ['method trace_block is not yet available', -32601, { class: 'method_missing' }],
  ['Received invalid block tag 9. Latest block number is 8', -32602, { class: 'beyond_head' }],
  ['requested block number greater than current block number', -32000, { class: 'beyond_head' }],
  ['missing trie node 1f', -32000, { class: 'pruned' }],
  ['no backend is currently healthy to serve traffic', undefined, { class: 'overload' }],
  ['Request timeout on the free tier, please upgrade your tier', -32000, { class: 'timeout' }],
  [
    'You can make eth_getLogs requests with up to a 10 block range. Upgrade your plan for more',
    -32600,
    { class: 'range_cap', cap: 10n },
  ],
  ['Please upgrade your plan', -32000, { class: 'unknown' }],
  ['something nobody ever saw', -32603, { class: 'unknown' }],
])('default: %s', (message, code, expected) => {
  expect(classifyRejection({ code, message })).toEqual(expected)
})

test('behavior: the text of error data takes precedence over the message', () => {
  const data = 'Query returned more than 50000 results. Try with this block range [0x1000000, 0x1080000].'
  expect(classifyRejection({ code: -32602, message: 'invalid params', data })).toEqual({
    class: 'result_cap',
    suggestedWidth: 0x80001n,
  })
})

test('behavior: a contract revert cannot imitate a rejection of the node', () => {
  const message = 'execution reverted: rate limit exceeded, block range too large, max range: 1'
  expect(classifyRejection({ code: 3, message, data: '0x08c379a0' })).toEqual({ class: 'reverted' })
  expect(classifyRejection({ code: -32015, message: 'VM execution error.', data: 'rate limit exceeded' })).toEqual({
    class: 'reverted',
  })
})

test('behavior: the HTTP status decides where the text is inconclusive', () => {
  expect(classifyRejection({ message: 'limit exceeded', code: -32005, httpStatus: 429 }).class).toBe('rate_limit')
  expect(classifyRejection({ message: '', httpStatus: 503 }).class).toBe('overload')
  expect(classifyRejection({ httpStatus: 403 }).class).toBe('unauthorized')
})

test('behavior: a reversed suggested range gives no width', () => {
  const message = 'query returned more than 10 results. Try with this block range [0x10, 0x1].'
  expect(classifyRejection({ message })).toEqual({ class: 'result_cap' })
})
