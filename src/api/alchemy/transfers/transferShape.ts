import type { TransferRecord } from '../../../nft/transferRecord.ts'

/** A transfer in this dialect. An ERC-1155 transfer has all tokens of its log. */
export type TransferShape = ReturnType<typeof transferShape>

/** `records`: all of one ERC-1155 log in order, or one of ERC-721. */
export function transferShape(
  records: readonly TransferRecord[],
  { symbol, withMetadata }: { symbol: string | null; withMetadata: boolean },
) {
  const [first] = records as [TransferRecord]
  const isErc1155 = first.contract_type === 'ERC1155'
  const tokenId = isErc1155 ? null : wordOf(first.token_id)
  return {
    blockNum: hexOf(first.block_number),
    uniqueId: uniqueIdOf(first),
    hash: first.transaction_hash,
    from: first.from_address,
    to: first.to_address,
    value: null,
    erc721TokenId: tokenId,
    erc1155Metadata: isErc1155
      ? records.map(({ token_id, amount }) => ({ tokenId: hexOf(token_id), value: hexOf(amount) }))
      : null,
    tokenId,
    asset: symbol,
    category: isErc1155 ? 'erc1155' : 'erc721',
    rawContract: { value: null, address: first.token_address, decimal: null },
    ...(withMetadata && { metadata: { blockTimestamp: first.block_timestamp } }),
  }
}

/** A log may move several tokens of ERC-721, each of which is a transfer of its own. */
function uniqueIdOf({ transaction_hash, log_index, item = 0, contract_type }: TransferRecord): string {
  const id = `${transaction_hash}:log:${log_index}`
  return contract_type === 'ERC721' && item > 0 ? `${id}:${item}` : id
}

const hexOf = (digits: string) => `0x${BigInt(digits).toString(16)}`

/** A token id as 32 bytes, as Alchemy writes it. */
const wordOf = (digits: string) => `0x${BigInt(digits).toString(16).padStart(64, '0')}`
