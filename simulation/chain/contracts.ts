import { encodeAbiParameters, toHex } from 'viem'
import type { Address, Hex } from '../../src/util/hex.ts'

/** Which transfer events a contract of the world emits, and which interfaces it reports. */
export type ContractKind =
  /** ERC-721 that reports ERC-165, with all arguments indexed. */
  | 'plain721'
  /** The same, and it mints ranges by ConsecutiveTransfer (ERC-2309). */
  | 'consecutive721'
  /** ERC-721 without ERC-165. Its Transfer has no indexed arguments, as in early contracts. */
  | 'unindexed721'
  /** ERC-721 without ERC-165, with the usual logs. */
  | 'silent721'
  /** ERC-1155 with large batches. */
  | 'plain1155'
  /** Reports both interfaces and emits the logs of both. */
  | 'both'
  /** ERC-20. No page lists its tokens. */
  | 'coin'

export type WorldContract = {
  address: Address
  kind: ContractKind
  /** The standard on its pages; undefined: its pages list nothing. */
  standard: 'ERC721' | 'ERC1155' | undefined
  /** The first block that has its code. */
  deployedAt: number
  /** null: the call reverts. */
  name: string | null
  symbol: string | null
  /** The URI of a token's metadata. */
  uri(id: bigint): string
}

const selectors = { supports: '0x01ffc9a7', name: '0x06fdde03', symbol: '0x95d89b41', decimals: '0x313ce567' }
const interfaces: Record<ContractKind, readonly string[]> = {
  plain721: ['01ffc9a7', '80ac58cd', '5b5e139f'],
  consecutive721: ['01ffc9a7', '80ac58cd', '5b5e139f'],
  unindexed721: [],
  silent721: [],
  plain1155: ['01ffc9a7', 'd9b67a26', '0e89341c'],
  both: ['01ffc9a7', 'd9b67a26', '80ac58cd'],
  coin: [],
}

/** Returns the contracts of the world. `late`: the block that deploys the last one. */
export function worldContracts(hostUrl: string, late: number): WorldContract[] {
  const kinds: [ContractKind, string | null][] = [
    ['plain721', 'Plain'],
    ['plain1155', 'Many\u0000 of <b>them</b>'],
    ['consecutive721', 'Ranges'],
    ['both', ''],
    ['unindexed721', null],
    ['silent721', 'Silent 🦜'],
    ['coin', 'Coin'],
    ['plain721', 'Late'],
  ]
  return kinds.map(([kind, name], i): WorldContract => {
    const multiple = kind === 'plain1155' || kind === 'both'
    return {
      address: toHex(0xc0ffee_0000n + BigInt(i + 1), { size: 20 }),
      kind,
      standard: kind === 'coin' ? undefined : multiple ? 'ERC1155' : 'ERC721',
      deployedAt: i === kinds.length - 1 ? late : 1,
      name,
      symbol: name === null ? null : name.slice(0, 3),
      uri: (id) => `${hostUrl}/${i}/${id}`,
    }
  })
}

/** Returns the contract's result for calldata; undefined if the call reverts. `owner` returns the current owner of a token. */
export function answerCall(
  contract: WorldContract,
  data: Hex,
  owner: (id: bigint) => Address | undefined,
): Hex | undefined {
  const selector = data.slice(0, 10)
  const word = () => BigInt(`0x${data.slice(10, 74)}`)
  const text = (value: string | null) =>
    value === null ? undefined : encodeAbiParameters([{ type: 'string' }], [value])
  if (selector === selectors.supports) {
    const known = interfaces[contract.kind]
    if (known.length === 0) return undefined
    return toHex(known.includes(data.slice(10, 18)) ? 1n : 0n, { size: 32 })
  }
  if (selector === selectors.name) return text(contract.name)
  if (selector === selectors.symbol) return text(contract.symbol)
  if (selector === selectors.decimals && contract.kind === 'coin') return toHex(18n, { size: 32 })
  // tokenURI(uint256) and uri(uint256)
  const isUri =
    (selector === '0x0e89341c' && contract.standard === 'ERC1155') ||
    (selector === '0xc87b56dd' && (contract.standard === 'ERC721' || contract.kind === 'both'))
  if (isUri) return text(contract.uri(word()))
  if (selector === '0x6352211e' && contract.standard === 'ERC721') {
    const holder = owner(word())
    return holder && toHex(BigInt(holder), { size: 32 })
  }
  return undefined
}
