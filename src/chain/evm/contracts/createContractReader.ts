import { setImmediate } from 'node:timers/promises'
import { type Address, type Hex, quantity } from '../../../util/hex.ts'
import { keccak256 } from '../../../util/keccak256.ts'
import type { Log } from '../../../util/log.ts'
import { maxUriLength } from '../../../util/metadataBounds.ts'
import type { EvmChain } from '../chains.ts'
import { isCode } from '../rpc/normalForm.ts'
import type { Rpc } from '../rpc/rpc.ts'
import { RpcError } from '../rpc/rpcError.ts'
import type { RangeCaps } from '../source/logWidth.ts'
import { createCallMany } from './callMany.ts'
import type { ContractIdentity, ContractReader, NoUri, StateOptions } from './contract.ts'
import { decodeText } from './decodeText.ts'
import { findDeploymentBlock, wasContract } from './deploymentBlock.ts'
import { decodeOwner, encodeCall, encodeOwnerOf, encodeSupports } from './encodeCall.ts'
import { confirmFailures, toEthCall, toResult } from './ethCall.ts'
import { createMulticall } from './multicall.ts'
import { createSettleCalls } from './settleCalls.ts'
import { findStateBlock, isPassing, lacksState, requestWithState } from './stateBlock.ts'

/** `caps`: learns how wide ranges of logs the endpoints answer. */
export type ContractReaderOptions = { rpc: Rpc; chain: EvmChain; caps?: RangeCaps; log: Log }

/** `tokenURI(uint256)` and `uri(uint256)`. */
const tokenUriSelector: Hex = '0xc87b56dd'
const uriSelector: Hex = '0x0e89341c'
/** `contractURI()`. */
const contractUriSelector: Hex = '0xe8a3d485'

/** ERC-165 requires both: true for its own id, and false for 0xffffffff, which is not an interface. */
const questions = {
  erc165: encodeSupports('0x01ffc9a7'),
  nothing: encodeSupports('0xffffffff'),
  erc721: encodeSupports('0x80ac58cd'),
  erc1155: encodeSupports('0xd9b67a26'),
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
} as const satisfies Record<string, Hex>

const maxNameLength = 1_024
/** Decoding an answer of more hex digits takes so long that other work must run before it. */
const longHex = 100_000

/** keccak256 of `mintmark`: no contract has this token id by chance. */
const unlikelyId = BigInt(keccak256('mintmark'))
/** Most ids that `hasToken` queries. */
const mostRequested = 100
const noContract: ContractIdentity = { hasCode: false, standard: undefined, name: null, symbol: null }

export function createContractReader({ rpc, chain, caps, log }: ContractReaderOptions): ContractReader {
  const multicall = createMulticall({ rpc, chain, log })
  const callMany = createCallMany({ rpc, multicall })
  const settleCalls = createSettleCalls({ rpc, multicall })

  /**
   * What `read` returns at the head. If that is nothing although there are logs of `since`, the node may lag behind this block, and is queried at it.
   * An older state says no more than that of the head, and some nodes have only that.
   */
  async function readState<T>(
    { block, since, signal }: StateOptions,
    read: (tag: 'latest' | Hex) => Promise<T>,
    isNothing: (found: T) => boolean,
  ): Promise<T> {
    if (block !== undefined) return requestWithState(() => read(quantity(block)), signal)
    const found = await read('latest')
    if (since === undefined || !isNothing(found)) return found
    if ((await findStateBlock({ rpc, since, ...(signal && { signal }) })) !== since) return found
    try {
      return await requestWithState(() => read(quantity(since)), signal)
    } catch (error) {
      if (error instanceof RpcError && !isPassing(error) && !lacksState(error)) return found
      throw error
    }
  }

  async function request(address: Address, tag: 'latest' | Hex, avoid: ReadonlySet<string>, signal?: AbortSignal) {
    const names = Object.keys(questions) as (keyof typeof questions)[]
    const calls = [
      { method: 'eth_getCode', params: [address, tag] },
      ...names.map((name) => toEthCall({ to: address, data: questions[name] }, tag)),
    ]
    const options = { avoid, ...(signal && { signal }) }
    const { result, endpoint } = await rpc.together<unknown>(calls, options)
    const [code] = result
    if (code instanceof Error) throw code
    if (code === null && tag !== 'latest') {
      const detail = 'returns null instead of code'
      throw new RpcError({ chain: chain.name, endpoint, method: 'eth_getCode', class: 'pruned', detail })
    }
    const hasCode = isCode(code)
    const [, ...answers] = hasCode ? await confirmFailures(rpc, calls, result, options) : result
    const data = Object.fromEntries(names.map((name, i) => [name, hasCode ? toResult(answers[i]) : undefined]))
    return { hasCode, endpoint, data: data as Record<keyof typeof questions, Hex | undefined> }
  }

  return {
    async identify(address, options = {}) {
      const read = async (tag: 'latest' | Hex) => {
        const first = await request(address, tag, new Set(), options.signal)
        // A lagging node does not know a contract of the latest blocks.
        return first.hasCode ? first : request(address, tag, new Set([first.endpoint]), options.signal)
      }
      const { hasCode, data } = await readState(options, read, (found) => !found.hasCode)
      if (!hasCode) return noContract
      const speaks165 = toBoolean(data.erc165) === true && toBoolean(data.nothing) === false
      const is1155 = speaks165 && toBoolean(data.erc1155) === true
      const is721 = speaks165 && toBoolean(data.erc721) === true
      const decimals = toDecimals(data.decimals)
      return {
        hasCode,
        standard: is1155 ? 'ERC1155' : is721 ? 'ERC721' : undefined,
        ...(decimals !== undefined && { decimals }),
        name: data.name === undefined ? null : (decodeText(data.name, maxNameLength) ?? null),
        symbol: data.symbol === undefined ? null : (decodeText(data.symbol, maxNameLength) ?? null),
      }
    },
    deploymentBlock: (address, head, options) => findDeploymentBlock({ rpc, caps, address, head, ...options }),
    wasContract: (address, head, signal) => wasContract({ rpc, caps, address, head, signal }),
    async hasToken(address, ids, options = {}) {
      const requested = [unlikelyId, ...new Set(ids)].slice(0, mostRequested + 1)
      const calls = requested.map((id) => ({ to: address, data: encodeOwnerOf(id) }))
      async function read(tag: 'latest' | Hex): Promise<boolean> {
        const [unlikely, ...owners] = (await callMany(calls, { tag, signal: options.signal })).map(decodeOwner)
        return owners.some((owner) => owner !== undefined && owner !== unlikely)
      }
      return readState(options, read, (isToken) => !isToken)
    },
    async tokenUris(address, standard, ids, options) {
      const data = ids.map((id) => callOfTokenUri(standard, id))
      const answers = await settleCalls(address, data, options)
      const uris: (string | NoUri)[] = []
      for (const answer of answers) {
        if (answer.kind !== 'data') uris.push({ lasting: answer.kind === 'lasting', reason: answer.reason })
        else {
          // Each megabyte takes a fraction of a second.
          if (answer.data.length > longHex) await setImmediate()
          uris.push(decodeTokenUri(answer.data))
        }
      }
      return uris
    },
    async contractUri(address, options) {
      const [answer] = await settleCalls(address, [contractUriSelector], options)
      if (answer?.kind === 'data') return decodeTokenUri(answer.data)
      return { lasting: answer?.kind === 'lasting', reason: answer?.reason ?? 'returns nothing' }
    },
  }
}

/** The call for a token's URI. */
export function callOfTokenUri(standard: 'ERC721' | 'ERC1155', id: bigint): Hex {
  return encodeCall(standard === 'ERC1155' ? uriSelector : tokenUriSelector, [id])
}

/** The URI in an answer to `callOfTokenUri`. One longer than `maxUriLength` is rejected, as a truncated URI would mean something else. */
export function decodeTokenUri(data: Hex): string | NoUri {
  const text = decodeText(data, maxUriLength + 1)
  if (text === undefined) return { lasting: true, reason: 'returns no text' }
  if (text.length <= maxUriLength) return text
  return { lasting: true, reason: `returns more than ${maxUriLength} characters` }
}

/** An ABI boolean; undefined for anything else. */
function toBoolean(data: Hex | undefined): boolean | undefined {
  if (data === undefined || data.length < 66) return undefined
  const word = BigInt(data.slice(0, 66))
  return word === 1n ? true : word === 0n ? false : undefined
}

/** One byte, as in ERC-20; undefined for anything else. */
function toDecimals(data: Hex | undefined): number | undefined {
  return data?.length === 66 && BigInt(data) < 256n ? Number(BigInt(data)) : undefined
}
