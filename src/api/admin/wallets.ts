import { z } from 'zod'
import type { Address } from '../../util/hex.ts'
import type { FoundPage } from '../pages/filteredList.ts'
import { count, digits, placeOf, time } from './collections.ts'

/** A wallet in a path: the chain by name or id. */
export type WalletPath = { chain: string; address: Address }

export const walletStatuses = ['queued', 'syncing', 'live', 'failed', 'idle', 'full'] as const
export type WalletStatus = (typeof walletStatuses)[number]

/**
 * Reads and changes wallets that are indexed over all contracts of their chain, as the commands do. Throws
 * NotFoundError for an unknown chain.
 */
export type AdminWallets = {
  /** In the order of chain and address. */
  list(options: {
    chain: string | null
    status: WalletStatus | null
    after: string | null
    limit: number
  }): Promise<FoundPage<WalletReport, string>>
  /** Throws NotFoundError for a wallet that is not indexed. */
  get(path: WalletPath): Promise<WalletDetailReport>
  /** Requests a wallet. Throws TooManyRequestsError if too many are queued. */
  index(path: WalletPath, keyId: bigint): Promise<WalletDetailReport>
  /** Removes a wallet with its rows. Throws NotFoundError for a wallet that is not indexed. */
  remove(path: WalletPath): Promise<WalletRemovalReport>
}

const place = placeOf('wallet')

export const walletSchema = z
  .object({
    ...place,
    status: z
      .enum(walletStatuses)
      .describe(
        'queued: waiting; syncing: history is read; live: followed at the head; failed: see reason; idle: nobody requested it in wallets.keepDays, so it is not followed; full: it has more transfers than wallets.maxTransfers.',
      ),
    reason: z.string().nullable().describe('Why the wallet failed or waits; null: no reason is known or needed.'),
    progress: z.number().min(0).max(1).describe('Part of the blocks that is covered, from 0 to 1.'),
    fromBlock: digits.nullable().describe('First block that is covered; null: none is.'),
    toBlock: digits.nullable().describe('Last block covered without a gap; null: none is.'),
    headBlock: digits.nullable().describe('Head of the chain; null: no node was ever queried.'),
    transfers: count('Transfers that are stored.'),
    incomplete: z.string().nullable().describe('Omitted transfers, and why; null: none.'),
    requestedAt: time.describe('When the wallet was requested.'),
    askedAt: time.describe('When it was last requested, to the hour.'),
  })
  .meta({ id: 'AdminWallet', description: 'A wallet that is indexed over all contracts of its chain.' })
export type WalletReport = z.infer<typeof walletSchema>

export const walletDetailSchema = walletSchema
  .and(z.object({ tokens: count('Tokens that it holds.'), contracts: count('Contracts of these tokens.') }))
  .meta({ id: 'AdminWalletDetail', description: 'A wallet in detail.' })
export type WalletDetailReport = z.infer<typeof walletDetailSchema>

export const walletRemovalSchema = z
  .object({ ...place, removed: z.literal(true).describe('Its rows are removed in the background.') })
  .meta({ id: 'WalletRemoval', description: 'A wallet that was removed.' })
export type WalletRemovalReport = z.infer<typeof walletRemovalSchema>
