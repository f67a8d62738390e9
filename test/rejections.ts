/** A JSON-RPC error, and its HTTP status if that is not 200. */
export type Rejection = { code: number; message: string; data?: unknown; status?: number }

type Range = { from: bigint; to: bigint }
const hex = (value: bigint) => `0x${value.toString(16)}`

/** How providers reject a range that is too wide, with their own codes and messages. They allow `cap` blocks. */
export const rangeRejections = {
  infura: ({ from, to }: Range, cap: bigint) => ({
    code: -32602,
    message: `range ${to - from + 1n} exceeds limit of ${cap}`,
  }),
  alchemy: ({ from }: Range, cap: bigint) => ({
    code: -32600,
    message: `You can make eth_getLogs requests with up to a ${cap} block range. Based on your parameters, this block range should work: [${hex(from)}, ${hex(from + cap - 1n)}]`,
  }),
  quicknode: (_: Range, cap: bigint) => ({
    code: -32614,
    message: `eth_getLogs is limited to a ${cap.toLocaleString('en')} range`,
    status: 413,
  }),
  publicnode: (_: Range, cap: bigint) => ({ code: -32701, message: `exceed maximum block range: ${cap}` }),
  ankr: () => ({ code: -32600, message: 'block range is too wide' }),
  avalanche: ({ from, to }: Range, cap: bigint) => ({
    code: -32000,
    message: `requested too many blocks from ${from} to ${to}, maximum is set to ${cap}`,
  }),
  cronos: (_: Range, cap: bigint) => ({ code: -32000, message: `maximum [from, to] blocks distance: ${cap}` }),
  ronin: ({ from, to }: Range, cap: bigint) => ({
    code: -32602,
    message: 'Invalid params',
    data: `requested block range ${to - from + 1n} exceeds the limit of ${cap}; narrow your fromBlock/toBlock`,
  }),
  cloudflare: (_: Range, cap: bigint) => ({
    code: -32047,
    message: `Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: ${cap}`,
  }),
  /** A message that no provider uses. */
  unknown: () => ({ code: -32000, message: 'the oracle is not amused' }),
} satisfies Record<string, (range: Range, cap: bigint) => Rejection>

/** How providers reject too many logs. They allow `cap` logs. */
export const resultRejections = {
  infura: ({ from, to }: Range, cap: number) => {
    const [a, b] = [hex(from), hex(from + (to - from) / 2n)]
    return {
      code: -32005,
      message: `query returned more than ${cap} results. Try with this block range [${a}, ${b}].`,
      data: { from: a, limit: cap, to: b },
    }
  },
  gnosis: ({ from, to }: Range, cap: number) => ({
    code: -32602,
    message: 'invalid params',
    data: `Query returned more than ${cap} results. Try with this block range [${hex(from)}, ${hex(from + (to - from) / 2n)}].`,
  }),
  /** Suggests a range of blocks outside the requested one. */
  drpc: ({ from, to }: Range, cap: number) => ({
    code: -32602,
    message: `query exceeds max results ${cap}, retry with the range ${to + 1_000n}-${to + 1_000n + (to - from) / 3n}`,
  }),
  arbitrum: (_: Range, cap: number) => ({ code: -32000, message: `logs matched by query exceeds limit of ${cap}` }),
  pulsechain: () => ({
    code: -32000,
    message: 'query returned more than allowed number of logs, try with smaller block range',
  }),
} satisfies Record<string, (range: Range, cap: number) => Rejection>

export type RangeWording = keyof typeof rangeRejections
export type ResultWording = keyof typeof resultRejections

export const rateRejections: readonly Rejection[] = [
  { code: -32005, message: 'daily request count exceeded, request rate limited' },
  { code: -32005, message: 'rate limit exceeded' },
  { code: -32016, message: 'over rate limit' },
  { code: 429, message: 'Your app has exceeded its compute units per second capacity' },
]

export const batchRejections: readonly Rejection[] = [
  { code: -32600, message: 'Batch size is too large', status: 413 },
  { code: -32000, message: 'batch limit exceeded' },
  { code: -32600, message: 'batch requests are not supported', status: 400 },
]
