import { type Address, type Hex, quantity } from '../../../util/hex.ts'
import type { Log } from '../../../util/log.ts'
import type { EvmChain } from '../chains.ts'
import { isCode } from '../rpc/normalForm.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { type CallResult, decodeAggregate3, encodeAggregate3 } from './aggregate3.ts'
import { type ContractCall, toResult } from './ethCall.ts'

/** Usual address of Multicall3. */
export const multicall3: Address = '0xca11bde05977b3631167028862be2a173976ca11'

/** Most calls in one multicall. */
export const callsTogether = 50
export const multicallsAtOnce = 4
/** Gas of a multicall: within the 50,000,000 that geth grants an eth_call. */
const gasTogether = 45_000_000
/** A chain without Multicall3 is checked again after this time: it may be deployed later. */
const absentMs = 600_000

export type MulticallOptions = {
  rpc: Rpc
  chain: EvmChain
  /** The block whose state is queried; omitted: the head. */
  block?: bigint | undefined
  log: Log
}

/** Calls in one eth_call through Multicall3, which share its gas. */
export type Multicall = {
  /** The block whose state is queried; undefined: the head. */
  readonly block: bigint | undefined
  /** The block as a parameter of eth_call. */
  readonly tag: 'latest' | Hex
  /** Whether the chain has Multicall3. */
  isDeployed(signal?: AbortSignal): Promise<boolean>
  /**
   * Makes the calls in one eth_call, at `tag` if given. Undefined: the eth_call failed as a whole, so fewer calls may pass, or another contract is at
   * the address.
   */
  run(
    calls: readonly ContractCall[],
    options?: { signal?: AbortSignal | undefined; tag?: 'latest' | Hex },
  ): Promise<CallResult[] | undefined>
}

export function createMulticall({ rpc, chain, block, log }: MulticallOptions): Multicall {
  const tag = block === undefined ? 'latest' : quantity(block)
  const to = chain.multicall ?? multicall3
  let present = false
  let absentUntil = Number.NEGATIVE_INFINITY
  return {
    block,
    tag,
    async isDeployed(signal) {
      if (present || performance.now() < absentUntil) return present
      const code = await rpc.call<unknown>('eth_getCode', [to, tag], signal && { signal })
      present = isCode(code)
      if (!present) absentUntil = performance.now() + absentMs
      log.debug({ chain: chain.name, present }, 'multicall contract looked up')
      return present
    },
    async run(calls, { signal, tag: requested = tag } = {}) {
      const params = [{ to, data: encodeAggregate3(calls), gas: quantity(gasTogether) }, requested]
      const [answer] = await rpc.batch<unknown>([{ method: 'eth_call', params }], signal && { signal })
      const data = toResult(answer)
      return data && decodeAggregate3(data, calls.length)
    },
  }
}
