import { decodeAbiParameters, parseAbiParameters } from 'viem'
import type { RpcLog } from '../../chain/evm/rpc.ts'
import type { Address, Hex } from '../../util/hex.ts'

/** What a log says of tokens. `unindexed`: an ERC-20 or an ERC-721 that indexes nothing; what it is only its contract tells. */
export type TokenLog =
  | { kind: 'erc20Transfer' | 'unindexed'; from: Address; to: Address; value: bigint }
  | { kind: 'erc20Approval'; owner: Address; spender: Address; value: bigint }
  | { kind: 'erc721Transfer'; from: Address; to: Address; tokenId: bigint }
  | { kind: 'erc1155Transfer'; operator: Address; from: Address; to: Address; items: { id: bigint; amount: bigint }[] }
  | { kind: 'erc721Approval'; owner: Address; approved: Address; tokenId: bigint }
  | { kind: 'approvalForAll'; account: Address; operator: Address; approved: boolean }

export const tokenTopics = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  approvalForAll: '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31',
  transferSingle: '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62',
  transferBatch: '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb',
} as const satisfies Record<string, Hex>

const idsAndAmounts = parseAbiParameters('uint256[], uint256[]')

/** Token standards by the shape of a log: topics and length of data; undefined where it has none of them. */
export function readTokenLog({ topics: [topic0, a, b, c], data }: RpcLog): TokenLog | undefined {
  const words = (data.length - 2) / 64
  const count = c ? 4 : b ? 3 : a ? 2 : 1
  if (topic0 === tokenTopics.transfer) {
    if (count === 4) return { kind: 'erc721Transfer', from: toAddress(a!), to: toAddress(b!), tokenId: BigInt(c!) }
    if (count === 3 && words >= 1)
      return { kind: 'erc20Transfer', from: toAddress(a!), to: toAddress(b!), value: word(data, 0) }
    if (count === 1 && words === 3)
      return { kind: 'unindexed', from: addressAt(data, 0), to: addressAt(data, 1), value: word(data, 2) }
  }
  if (topic0 === tokenTopics.approval) {
    if (count === 4)
      return { kind: 'erc721Approval', owner: toAddress(a!), approved: toAddress(b!), tokenId: BigInt(c!) }
    if (count === 3 && words >= 1)
      return { kind: 'erc20Approval', owner: toAddress(a!), spender: toAddress(b!), value: word(data, 0) }
  }
  if (topic0 === tokenTopics.approvalForAll && count === 3 && words >= 1)
    return { kind: 'approvalForAll', account: toAddress(a!), operator: toAddress(b!), approved: word(data, 0) !== 0n }
  if (count !== 4) return undefined
  const parties = () => ({ operator: toAddress(a!), from: toAddress(b!), to: toAddress(c!) })
  if (topic0 === tokenTopics.transferSingle && words >= 2)
    return { kind: 'erc1155Transfer', ...parties(), items: [{ id: word(data, 0), amount: word(data, 1) }] }
  if (topic0 !== tokenTopics.transferBatch) return undefined
  const items = batchOf(data)
  return items && { kind: 'erc1155Transfer', ...parties(), items }
}

function batchOf(data: Hex): { id: bigint; amount: bigint }[] | undefined {
  try {
    const [ids, amounts] = decodeAbiParameters(idsAndAmounts, data)
    return ids.length === amounts.length ? ids.map((id, i) => ({ id, amount: amounts[i]! })) : undefined
  } catch {
    // Not what the standard says; the log itself is in the webhook all the same.
    return undefined
  }
}

function word(data: Hex, place: number): bigint {
  return BigInt(`0x${data.slice(2 + place * 64, 66 + place * 64)}`)
}

function addressAt(data: Hex, place: number): Address {
  return `0x${data.slice(26 + place * 64, 66 + place * 64)}`
}

function toAddress(topic: Hex): Address {
  return `0x${topic.slice(26)}`
}
