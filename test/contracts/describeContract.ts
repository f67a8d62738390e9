import { encodeAbiParameters, type Hex } from 'viem'
import { tokenTopic } from '../../src/chain/evm/source/tokenEvents.ts'
import type { Address } from '../../src/util/hex.ts'
import type { Anvil } from '../anvil.ts'

/**
 * Makes a contract return a text from `contractURI()`, and emit `ContractURIUpdated()` in a call without data.
 * All other calls go to its former code, which the first call moves to another address.
 */
export async function describeContract(anvil: Anvil, address: Address, uri: string): Promise<void> {
  const former = `0x${address.slice(4)}ff`
  if ((await anvil.rpc<Hex>('eth_getCode', [former, 'latest'])) === '0x')
    await anvil.rpc('anvil_setCode', [former, await anvil.rpc<Hex>('eth_getCode', [address, 'latest'])])
  await anvil.rpc('anvil_setCode', [address, codeOf(former.slice(2), uri)])
}

function codeOf(former: string, uri: string): Hex {
  const answer = encodeAbiParameters([{ type: 'string' }], [uri]).slice(2)
  const word = (value: number) => value.toString(16).padStart(4, '0')
  const size = answer.length / 2
  const emptyBytes = 6
  const requestedBytes = 15
  const forward = `365f5f375f5f365f73${former}5af43d5f5f3e`
  const okAt = emptyBytes + requestedBytes + forward.length / 2 + 7
  const describeAt = okAt + 4
  const emitAt = describeAt + 14
  const emit = `5b7f${tokenTopic.contractUriUpdated.slice(2)}5f5fa100`
  const dataAt = emitAt + emit.length / 2
  const empty = `361561${word(emitAt)}57`
  const requested = `5f3560e01c63e8a3d4851461${word(describeAt)}57`
  const end = `61${word(okAt)}573d5ffd5b3d5ff3`
  return `0x${empty}${requested}${forward}${end}5b61${word(size)}61${word(dataAt)}5f3961${word(size)}5ff3${emit}${answer}`
}
