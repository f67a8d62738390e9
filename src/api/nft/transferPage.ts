import { z } from 'zod'
import type { TransferQuery, TransferRange, TransferSource } from '../../nft/transferQuery.ts'
import type { ReportedStatus } from './collections/reportCollection.ts'
import { noRecords, recordPage } from './recordPage.ts'
import { nftPageSchema, nftSchema } from './schemas.ts'
import type { TransferList } from './transferParameters.ts'

const { token_address, token_id, possible_spam } = nftSchema.shape
const addressText = z.string().regex(/^0x[0-9a-f]{40}$/)
const hashText = z.string().regex(/^0x[0-9a-f]{64}$/)
const digits = z.string().regex(/^\d+$/)

/** One transfer in answers. */
export const transferSchema = z
  .object({
    token_address,
    token_id,
    from_address: addressText.describe('The sender; the zero address for a mint.'),
    to_address: addressText.describe('The recipient; the zero address for a burn.'),
    amount: digits.describe('Units; 1 for ERC721.'),
    contract_type: z.enum(['ERC721', 'ERC1155']).describe('Standard of the event that moved it.'),
    block_number: digits.meta({ description: 'Block of the transfer.', examples: ['12287507'] }),
    block_hash: hashText.describe('Hash of the block.'),
    block_timestamp: z.iso.datetime().describe('Time of the block.'),
    transaction_hash: hashText.describe('Hash of the transaction.'),
    transaction_index: z
      .int()
      .min(0)
      .nullable()
      .describe('Index of the transaction in its block; null if the node reported none.'),
    log_index: z.int().min(0).describe('Index of the log in its block; the tokens of one log share it.'),
    operator: addressText.nullable().describe('ERC1155: who moved it; ERC721: null.'),
    value: z.null().describe('Always null: logs contain no price.'),
    verified: z.boolean().describe("Whether the contract counts as verified, by a list or the operator's override."),
    possible_spam,
  })
  .meta({ id: 'NftTransfer', description: 'A transfer of one NFT, or of an amount of one id.' })

export const transferPageSchema = nftPageSchema
  .extend({
    total: z
      .int()
      .min(0)
      .nullable()
      .describe('Transfers; null unless disable_total is false, and if there are more than 100,000 to count.'),
    result: z.array(transferSchema).describe('The transfers, in the order of the chain.'),
    status: z.enum(['SYNCED', 'SYNCING']).describe('SYNCED: every block up to the head last seen is covered.'),
  })
  .meta({ id: 'NftTransferPage', description: 'A page of transfers.' })

/** The range without blocks after `block`, which were stored after the headers of the answer were read. null: no block is followed. */
export function upTo({ from, to }: TransferRange, block: FollowedHead): TransferRange {
  return { from, to: block === null || (to !== null && to <= block.number) ? to : block.number }
}

type FollowedHead = { number: bigint } | null

/**
 * The body of a page of transfers. `source` undefined: nothing is known of the subject yet. `block`: see `upTo`. Throws UnavailableError.
 */
export async function cutTransfers(options: {
  transfers: TransferQuery
  list: TransferList
  source: TransferSource | undefined
  status: ReportedStatus['status']
  block?: FollowedHead
}): Promise<Buffer> {
  const { transfers, list, source, status, block = null } = options
  const { order, after, limit, hex } = list
  const range = upTo(list.range, block)
  // All transfers of a chain have a counter. It may include blocks after `block`.
  const counted = source?.of === 'chain' ? list.range : range
  return recordPage({
    walk: list,
    found: source ? await transfers.page({ source, range, order, after, limit, hex }) : noRecords(),
    count: async () => (source ? transfers.count(source, counted) : 0),
    sign: (next) => list.next(next.after, next.given, next.total),
    status,
  })
}
