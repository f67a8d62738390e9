import { type Address, type Hex, quantity } from '../../../util/hex.ts'
import type { Log } from '../../../util/log.ts'
import type { EvmChain } from '../chains.ts'
import { isCode } from '../rpc/normalForm.ts'
import { parseHeader } from '../rpc/parseHeader.ts'
import type { Header, Rpc } from '../rpc/rpc.ts'
import { type FaultClass, RpcError } from '../rpc/rpcError.ts'
import { InconsistentResponseError } from '../source/sourceError.ts'
import { createCallMany } from './callMany.ts'
import { callOfTokenUri, decodeTokenUri } from './createContractReader.ts'
import { decodeOwner, encodeCall, encodeOwnerOf, encodeSupports } from './encodeCall.ts'
import { createMulticall } from './multicall.ts'
import { createSettleCalls } from './settleCalls.ts'
import { type StateReader, StateUnavailableError } from './stateReader.ts'

export type StateReaderOptions = {
  /** Queries only `node`: the response of another node would hide a difference. */
  rpc: Rpc
  chain: EvmChain
  node: string
  address: Address
  block: bigint
  log: Log
}

/** Whether the contract is ERC-721 enumerable. */
const enumerable = encodeSupports('0x780e9d63')
/** `balanceOf(address,uint256)` */
const balanceOf: Hex = '0x00fdd58e'
/** `tokenByIndex(uint256)` */
const tokenByIndex: Hex = '0x4f6ccce7'
/** `totalSupply()` */
const totalSupply: Hex = '0x18160ddd'
/** `totalSupply(uint256)` */
const totalSupplyOf: Hex = '0xbd85b039'

/** Errors of a request, which show nothing about the state that the node keeps. */
const passing: ReadonlySet<FaultClass> = new Set<FaultClass>([
  'unreachable',
  'broken',
  'wrong_chain',
  'rate_limit',
  'overload',
  'timeout',
  'unauthorized',
])

export function createStateReader(options: StateReaderOptions): StateReader {
  const { rpc, chain, node, address, block, log } = options
  const multicall = createMulticall({ rpc, chain, block, log })
  const callMany = createCallMany({ rpc, multicall })
  const settleCalls = createSettleCalls({ rpc, multicall })

  async function request(data: readonly Hex[], signal?: AbortSignal): Promise<(Hex | undefined)[]> {
    return callMany(
      data.map((call) => ({ to: address, data: call })),
      { signal },
    )
  }
  const requestNumbers = async (data: readonly Hex[], signal?: AbortSignal) =>
    (await request(data, signal)).map(toNumber)

  function headerOf(answer: unknown, number: bigint): Header {
    const header = parseHeader(answer)
    if (header?.number === number) return header
    throw new InconsistentResponseError({
      chain: chain.name,
      question: `block ${number} at ${node}`,
      reason: 'no such block',
    })
  }

  return {
    node,
    async anchor(signal) {
      const calls = [
        { method: 'eth_getBlockByNumber', params: [quantity(block), false] },
        { method: 'eth_getCode', params: [address, quantity(block)] },
      ]
      const { result } = await rpc.together<unknown>(calls, signal && { signal })
      const [found, code] = result
      const absent = found === null || (found instanceof RpcError && !passing.has(found.class))
      if (absent)
        throw new StateUnavailableError(
          `${node} has no block ${block}${found instanceof RpcError ? ` (${found.detail})` : ''}: it lags, or has pruned the block; verify another block with --at, or configure another node under chains.${chain.name}.rpc`,
        )
      if (found instanceof Error) throw found
      if (code instanceof RpcError && !passing.has(code.class))
        throw new StateUnavailableError(
          `${node} keeps no state of block ${block} (${code.detail}): verify a later block, or configure an archive node under chains.${chain.name}.rpc`,
        )
      if (code instanceof Error) throw code
      return { hash: headerOf(found, block).hash, hasCode: isCode(code) }
    },
    async genesis(signal) {
      return headerOf(await rpc.call('eth_getBlockByNumber', ['0x0', false], signal && { signal }), 0n).hash
    },
    async owners(ids, signal) {
      return (await request(ids.map(encodeOwnerOf), signal)).map((data) => decodeOwner(data) ?? null)
    },
    async balances(holdings, signal) {
      const data = holdings.map(({ holder, tokenId }) => encodeCall(balanceOf, [BigInt(holder), tokenId]))
      return requestNumbers(data, signal)
    },
    async supply(signal) {
      const [isEnumerable, supply] = await requestNumbers([enumerable, totalSupply], signal)
      return isEnumerable === 1n ? (supply ?? null) : null
    },
    supplies: (ids, signal) =>
      requestNumbers(
        ids.map((id) => encodeCall(totalSupplyOf, [id])),
        signal,
      ),
    tokensByIndex: (indices, signal) =>
      requestNumbers(
        indices.map((index) => encodeCall(tokenByIndex, [index])),
        signal,
      ),
    async tokenUris(standard, ids, signal) {
      const data = ids.map((id) => callOfTokenUri(standard, id))
      const answers = await settleCalls(address, data, { signal })
      return answers.map((answer) => {
        const uri = answer.kind === 'data' ? decodeTokenUri(answer.data) : null
        return typeof uri === 'string' ? uri : null
      })
    },
  }
}

/** The number in an answer of exactly one word, as texts and lists begin with a word too; null for anything else. */
function toNumber(data: Hex | undefined): bigint | null {
  return data !== undefined && /^0x[0-9a-f]{64}$/i.test(data) ? BigInt(data) : null
}
