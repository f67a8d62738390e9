/** Why a node rejected a call, by the possible reaction. */
export type RejectionClass =
  /** The block range is too wide. */
  | 'range_cap'
  /** Too many logs match. */
  | 'result_cap'
  /** The response would have too many bytes. */
  | 'response_size'
  | 'rate_limit'
  /** Old blocks require a paid plan. */
  | 'archive_paywall'
  /** The key is invalid, or lacks the permission. */
  | 'unauthorized'
  /** Known, but disabled. */
  | 'method_disabled'
  | 'method_missing'
  /** A block that this node does not have, or not yet. */
  | 'beyond_head'
  /** The range ends before it starts. */
  | 'reversed'
  /** Old blocks or states that this node no longer keeps. */
  | 'pruned'
  | 'not_traceable'
  /** The contract's own failure. */
  | 'reverted'
  /** More gas was needed than the call was allowed. */
  | 'out_of_gas'
  | 'overload'
  | 'timeout'
  | 'invalid_params'
  | 'unknown'

export type Rejection = {
  class: RejectionClass
  /** Most blocks in one range, for a range_cap that names the number beside "block" or "range". */
  cap?: bigint
  /** Blocks in the range that the node suggests. Its bounds are not used: some lie outside the requested range. */
  suggestedWidth?: bigint
}

export type RejectionSource = { code?: unknown; message?: unknown; data?: unknown; httpStatus?: number }

// The first matching rule decides. A contract chooses the message of its revert, which could match any later rule, and "query timeout … block range"
// is a timeout. Every pattern was written for a real rejection of a provider.
const rules: readonly (readonly [RejectionClass, RegExp])[] = [
  // Text about gas within a revert is the contract's own.
  ['out_of_gas', /^(?!.*revert).*(out ?of ?gas|gas required exceeds|gas uint64 overflow)/s],
  [
    'reverted',
    /^(execution )?revert|execution reverted|vm exception|vm execution error|evm error|invalid opcode|invalid jump|bad instruction|bad jump|stack (underflow|overflow|limit)|write protection|max code size exceeded|invalidfeopcode|invalidjump|opcodenotfound|stackunderflow|stackoverflow/,
  ],
  [
    'rate_limit',
    /rate.?limit|too many (requests|connections)|request count exceeded|(requests?|calls?) per (second|minute|day)|compute units|quota|capacity exceeded|throttl|credits (limit|exhaust)|^429\b/,
  ],
  [
    'result_cap',
    /more than .*(results|logs)|max(imum)? (number of )?(results|logs)|logs matched|log response size|too many (results|logs|events)|(results?|logs) (limit|exceed)/,
  ],
  ['timeout', /time(d)?.?out|deadline exceeded|took too long|execution aborted/],
  // An offer of a paid plan alone shows nothing: providers add it to time limits and caps as well.
  ['archive_paywall', /archive (requests?|data|node|access|state)|personal token/],
  [
    'response_size',
    /response (is |size )?(too (large|big)|exceed)|response size (limit|exceed)|backend response too large/,
  ],
  ['reversed', /fromblock cannot be greater|from ?block .*(greater|after|higher) .*to ?block/],
  [
    'beyond_head',
    /beyond (the )?current head|null round|^invalid block range( params)?$|^(block )?(0x)?[0-9a-f]+ could not be found|unfinalized data|after last accepted block|nonexistent block|unknown block|block (0x[0-9a-f]+ |#?\d+ )?(was )?not found|no block (with|found)|\bblock (number )?does not exist|does ?n.t exist yet|\b(block|height)\b.*not yet available|(higher|greater) than (the )?(current|latest)|less than or equal to the (current|latest)|height in the future|invalid block tag \d/,
  ],
  [
    'pruned',
    /receipt not available|header not found|missing trie node|state (at|for) block|state (is )?not available|blockoutofrange|pruned|historical state|distance to target block exceeds|old data not available|missing history|state .*unavailable|lowest height is|not in available range|state at height|version does not exist/,
  ],
  ['not_traceable', /not traceable|tracing on top of pending/],
  // Before range_cap, whose pattern also matches "eth_getBlockReceipts is not supported".
  [
    'method_missing',
    /method .*(not found|not exist|does ?n.t exist|not available|not supported|unsupported|unavailable)|(unsupported|unknown) method|not implemented/,
  ],
  [
    'range_cap',
    /(block|range).*(too (large|wide|big|many)|exceed|limit|greater than|bigger than|max|distance|smaller|not supported)|(exceed|limit|max|too (wide|many|large)|up to).*(blocks?|range)\b|query must be smaller than size/,
  ],
  ['method_disabled', /^limit exceeded$|method .*(disabled|not allowed|not whitelisted|forbidden)|has been disabled/],
  ['unauthorized', /unauthori[sz]ed|invalid (api|project) ?(key|id)|api key|forbidden|access denied|authenticat/],
  [
    'overload',
    /no backend|overload|server busy|too busy|temporar(y|ily)|service unavailable|bad gateway|unhealthy|try again later|syncing|backend (error|unavailable)/,
  ],
  ['invalid_params', /invalid (params|argument|request)|missing value for required|cannot unmarshal|unknown field/],
]

/** The rules for failures of the EVM. */
const evmRules = rules.slice(0, 2)

const byStatus: Record<number, RejectionClass> = {
  401: 'unauthorized',
  402: 'unauthorized',
  403: 'unauthorized',
  404: 'unauthorized',
  405: 'unauthorized',
  408: 'timeout',
  413: 'response_size',
  429: 'rate_limit',
  504: 'timeout',
}

const byCode: Record<number, RejectionClass> = {
  3: 'reverted',
  429: 'rate_limit',
  [-32601]: 'method_missing',
  [-32602]: 'invalid_params',
  [-32600]: 'invalid_params',
}

/**
 * The class of a node's error, by the text of `data`, then of `message`. Code and status count only if neither text matches, as providers use the
 * same codes for different errors.
 */
export function classifyRejection(source: RejectionSource): Rejection {
  const { code, httpStatus } = source
  for (const text of textsOf(source)) {
    // A contract can put a megabyte into its revert message.
    const detail = text.slice(0, 2_000).toLowerCase()
    const rule = rules.find(([, pattern]) => pattern.test(detail))
    // "limit exceeded" means for BSC that eth_getLogs is disabled, and for others 429.
    if (!rule || (httpStatus === 429 && rule[0] === 'method_disabled')) continue
    const found = rule[0]
    if (found === 'invalid_params' && detail.trim().replace(/\.$/, '') === 'invalid params') continue
    return withWidths(found, detail, source.data)
  }
  if (httpStatus !== undefined && byStatus[httpStatus]) return { class: byStatus[httpStatus] }
  if (httpStatus !== undefined && httpStatus >= 500) return { class: 'overload' }
  return { class: (typeof code === 'number' ? byCode[code] : undefined) ?? 'unknown' }
}

/** The texts of a rejection, the deciding one first. `data` in hex is revert data and is omitted. */
function textsOf({ message, data }: RejectionSource): string[] {
  const parts = typeof data === 'object' && data !== null ? data : {}
  const texts: unknown[] = [data, ...['message', 'details', 'reason'].map((k) => Reflect.get(parts, k))]
  // The node's message says whether a call reverted: the revert data is the contract's text.
  if (typeof message === 'string' && isEvmMessage(message)) texts.unshift(message)
  texts.push(message)
  return texts.filter((t): t is string => typeof t === 'string' && t !== '' && !/^0x[0-9a-f]*$/i.test(t))
}

function isEvmMessage(message: string): boolean {
  const detail = message.slice(0, 2_000).toLowerCase()
  return evmRules.some(([, pattern]) => pattern.test(detail))
}

function withWidths(found: RejectionClass, detail: string, data: unknown): Rejection {
  const rejection: Rejection = { class: found }
  if (found === 'range_cap') {
    const cap = capOf(detail)
    if (cap !== undefined && cap > 0n) rejection.cap = cap
  }
  if (found === 'range_cap' || found === 'result_cap' || found === 'response_size' || found === 'timeout') {
    const width = suggestedWidthOf(detail, data)
    if (width !== undefined && width > 0n) rejection.suggestedWidth = width
  }
  return rejection
}

const number = String.raw`(\d[\d,_]*)\s?(k|m)?\b`
// The requested range ("range 47440 exceeds", "got 16777216", "from 1048576 to 17825792") is not the cap.
const capPatterns = [
  String.raw`(?:limit of|limit is|limit:|limited to|maximum is set to|max(?:imum)? is|max range:|max block range|block range:|distance:|maximum|at most|up to|blocks is|smaller than size|ranges? over|exceeds|greater than)\s*(?:an? |0 ?- ?)?${number}`,
].map((pattern) => new RegExp(pattern))

function capOf(detail: string): bigint | undefined {
  for (const pattern of capPatterns) {
    const match = pattern.exec(detail)
    if (match) return toNumber(match[1]!, match[2])
  }
  // Ankr reports no number; its cap is known to be 3,000.
  return detail === 'block range is too wide' ? 3_000n : undefined
}

function suggestedWidthOf(detail: string, data: unknown): bigint | undefined {
  const match =
    /\[\s*(0x[0-9a-f]+|\d+)\s*,\s*(0x[0-9a-f]+|\d+)\s*\]/.exec(detail) ??
    /range (?:of )?(0x[0-9a-f]+|\d+)\s*(?:-|to)\s*(0x[0-9a-f]+|\d+)/.exec(detail)
  if (match) return BigInt(match[2]!) - BigInt(match[1]!) + 1n
  if (typeof data !== 'object' || data === null) return undefined
  const { from, to } = data as { from?: unknown; to?: unknown }
  const bound = /^(0x[0-9a-f]{1,16}|\d{1,18})$/i
  if (typeof from !== 'string' || typeof to !== 'string' || !bound.test(from) || !bound.test(to)) return undefined
  return BigInt(to) - BigInt(from) + 1n
}

function toNumber(digits: string, unit: string | undefined): bigint {
  const value = BigInt(digits.replace(/[,_]/g, ''))
  return unit === 'k' ? value * 1_000n : unit === 'm' ? value * 1_000_000n : value
}
