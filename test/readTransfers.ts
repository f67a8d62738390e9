import { decodeAbiParameters, parseAbiParameters, toEventSelector } from 'viem'
import type { Address, Hex } from '../src/util/hex.ts'
import { JsonRpcFault, postJsonRpc } from './jsonRpc.ts'

/** One transfer of an NFT, or of an amount of one id. */
export type Transfer = {
  block: bigint
  logIndex: number
  /** Index within its log. */
  item: number
  transactionHash: Hex
  transactionIndex: number
  blockHash: Hex
  from: Address
  to: Address
  tokenId: bigint
  /** 1 for ERC-721. */
  amount: bigint
  standard: 'ERC721' | 'ERC1155'
  /** null for ERC-721. */
  operator: Address | null
}

type RawLog = {
  topics: Hex[]
  data: Hex
  blockNumber: Hex
  blockHash: Hex
  logIndex: Hex
  transactionHash: Hex
  transactionIndex: Hex
}
type Moved = Pick<Transfer, 'from' | 'to' | 'tokenId' | 'amount' | 'standard'>

const topics = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  consecutive: toEventSelector('ConsecutiveTransfer(uint256,uint256,address,address)'),
  single: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  batch: toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
}

/**
 * All NFT transfers of a contract in chain order, decoded by viem and not by the product's code.
 * Transfer logs of the ERC-20 shape are omitted unless `idInData`. Logs without indexed arguments count as NFT transfers.
 */
export async function readTransfers(
  url: string,
  address: Address,
  atBlock: bigint,
  idInData = false,
): Promise<Transfer[]> {
  const filter = { address, fromBlock: '0x0', toBlock: `0x${atBlock.toString(16)}` }
  const [logs] = await postJsonRpc(url, [{ method: 'eth_getLogs', params: [filter] }])
  if (logs instanceof JsonRpcFault) throw logs
  return (logs as RawLog[]).flatMap((log) =>
    decode(log, idInData).map((moved, item) => ({
      block: BigInt(log.blockNumber),
      logIndex: Number(log.logIndex),
      item,
      transactionHash: log.transactionHash,
      transactionIndex: Number(log.transactionIndex),
      blockHash: log.blockHash,
      operator: moved.standard === 'ERC1155' ? toAddress(log.topics[1]!) : null,
      ...moved,
    })),
  )
}

function decode({ topics: [topic, a, b, c], data }: RawLog, idInData: boolean): Moved[] {
  if (topic === topics.transfer && a && b && c)
    return [{ from: toAddress(a), to: toAddress(b), tokenId: BigInt(c), amount: 1n, standard: 'ERC721' }]
  if (topic === topics.transfer && a && b && idInData) {
    const [tokenId] = decodeAbiParameters(parseAbiParameters('uint256'), data)
    return [{ from: toAddress(a), to: toAddress(b), tokenId, amount: 1n, standard: 'ERC721' }]
  }
  if (topic === topics.transfer && !a) {
    const [from, to, tokenId] = decodeAbiParameters(parseAbiParameters('address, address, uint256'), data)
    return [{ from: lower(from), to: lower(to), tokenId, amount: 1n, standard: 'ERC721' }]
  }
  if (topic === topics.consecutive && a && b && c) {
    const [last] = decodeAbiParameters(parseAbiParameters('uint256'), data)
    const [first, from, to] = [BigInt(a), toAddress(b), toAddress(c)]
    return Array.from({ length: Number(last - first + 1n) }, (_, n) => ({
      from,
      to,
      tokenId: first + BigInt(n),
      amount: 1n,
      standard: 'ERC721' as const,
    }))
  }
  if (topic === topics.single && b && c) {
    const [tokenId, amount] = decodeAbiParameters(parseAbiParameters('uint256, uint256'), data)
    return [{ from: toAddress(b), to: toAddress(c), tokenId, amount, standard: 'ERC1155' }]
  }
  if (topic === topics.batch && b && c) {
    const [ids, amounts] = decodeAbiParameters(parseAbiParameters('uint256[], uint256[]'), data)
    const [from, to] = [toAddress(b), toAddress(c)]
    return ids.map((tokenId, n) => ({ from, to, tokenId, amount: amounts[n]!, standard: 'ERC1155' as const }))
  }
  return []
}

const lower = (address: string) => address.toLowerCase() as Address
const toAddress = (topic: Hex): Address => `0x${topic.slice(-40)}`
