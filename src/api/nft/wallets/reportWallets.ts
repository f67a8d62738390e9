import { z } from 'zod'
import { type CollectionState, followedBlock } from '../../../nft/query.ts'
import type { FollowedBlock, WalletQuery, WalletState } from '../../../nft/walletQuery.ts'
import { createRecent, type Recent } from '../../pages/recent.ts'
import { reportHead, type StatusReport } from '../../pages/reportHead.ts'
import type { Snapshot } from '../collections/collections.ts'
import { blockHeaders } from '../collections/indexHeaders.ts'
import type { ReportedStatus } from '../collections/reportCollection.ts'
import { reportedTogether } from '../collections/reportTogether.ts'
import { asOfHeaderSchema } from '../schemas.ts'

const header = (description: string) => z.string().optional().describe(description)

/** Headers of an answer about a wallet. */
export const walletHeaderSchema = asOfHeaderSchema.extend({
  'x-index-scope': z
    .enum(['chain', 'indexed'])
    .optional()
    .describe('Of a wallet: chain, all contracts of the chain are covered; indexed, the indexed collections.'),
  'x-index-status': z
    .enum(['queued', 'syncing', 'synced', 'failed'])
    .describe('State of the indexing of all collections that the response covers.'),
  'x-index-progress': header(
    'With token_addresses or contract_addresses: the lowest part of a history that is covered, from 0 to 1.',
  ),
  'x-index-metadata-progress': header(
    'With token_addresses or contract_addresses: the lowest part of the metadata that is read, from 0 to 1.',
  ),
  'x-index-collections': header('How many collections of the chain the response covers; missing with scope chain.'),
  'x-index-incomplete': header(
    'Number of these collections with omissions; with given contracts, the omissions of one of them; missing if nothing was omitted.',
  ),
  'x-index-to-block': header(
    'Last block up to which the response covers all of these collections; missing if there is none.',
  ),
})

/** Headers of an answer, valid until `block` is undone. null: they depend on no block that can be undone. */
export type WalletReport = StatusReport<ReportedStatus> & { block: FollowedBlock | null }

export type WalletReports = {
  /** Headers of answers over all collections of a chain; read before the rows. */
  read(chainId: bigint): Promise<WalletReport>
  /** Discards the cached state. */
  forget(chainId: bigint): void
}

export function createWalletReports({ query, freshMs }: { query: WalletQuery; freshMs: number }): WalletReports {
  const chains = new Map<bigint, Recent<WalletReport>>()
  return {
    read(chainId) {
      let recent = chains.get(chainId)
      if (!recent) {
        const read = async () => {
          const readAt = performance.now()
          return reportChain(await query.state(chainId), readAt)
        }
        recent = createRecent({ read, freshMs })
        chains.set(chainId, recent)
      }
      return recent.read()
    },
    forget: (chainId) => chains.get(chainId)?.forget(),
  }
}

/** `readAt`: a time before the state was read. */
function reportChain(state: WalletState, readAt: number): WalletReport {
  const { incomplete } = state
  const skipped = incomplete > 0 ? ['x-index-incomplete', `${incomplete} of the collections have omissions`] : []
  const reported = (synced: boolean): ReportedStatus => ({
    status: synced ? 'SYNCED' : 'SYNCING',
    headers: ['x-index-status', synced ? 'synced' : 'syncing', ...covering(state), ...skipped],
  })
  const report = reportHead({
    ...{ head: state.head, readAt, reported: reported(state.synced) },
    withdraw: state.synced ? () => reported(false) : undefined,
  })
  return { ...report, block: state.block }
}

/**
 * Headers of answers about wallets over given collections. Reads the progress of their wallet tables, so it runs before
 * the rows are read.
 */
export async function reportNamed(query: WalletQuery, snapshots: readonly Snapshot[]): Promise<WalletReport> {
  const pages = snapshots.filter(({ kind }) => kind === 'page')
  const covered = pages.flatMap(({ state }) => (state && isCovered(state) ? [state] : []))
  const reached = covered.length > 0 ? await query.reached(covered) : null
  const heads = covered.flatMap(({ headBlock }) => headBlock ?? [])
  const headBlock = heads.length > 0 ? heads.reduce((a, b) => (a > b ? a : b)) : null
  const ends = [...covered.map(({ toBlock, fromBlock }) => toBlock ?? (fromBlock ?? 0n) - 1n), reached ?? []].flat()
  const least = ends.length > 0 ? ends.reduce((a, b) => (a < b ? a : b)) : -1n
  const toBlock = least < 0n ? null : least
  const behind = reached !== null && headBlock !== null && reached < headBlock
  const coverage = covering({ collections: covered.length, toBlock, headBlock })
  const { confirmedAt, at } = reportedTogether(pages.map(({ report }) => report))
  const blocks = covered.flatMap((state) => followedBlock(state) ?? [])
  return {
    confirmedAt,
    block: blocks.length > 0 ? blocks.reduce((a, b) => (a.number < b.number ? a : b)) : null,
    at(now) {
      const together = at(now)
      if (behind && together.get('x-index-status') === 'synced') together.set('x-index-status', 'syncing')
      for (const name of ['x-index-to-block', 'x-index-lag-blocks', 'x-index-head-block']) together.delete(name)
      const status = together.get('x-index-status') === 'synced' ? 'SYNCED' : 'SYNCING'
      return { status, headers: [...[...together].flat(), ...coverage] }
    },
  }
}

/** A contract that was not checked yet, or has no tokens, is not covered. */
function isCovered({ status, standard, checkedAt }: CollectionState): boolean {
  const isUnchecked = checkedAt === null && (status === 'queued' || status === 'failed')
  return !isUnchecked && standard !== null && status !== 'none' && status !== 'nocode'
}

function covering({ collections, toBlock, headBlock }: Pick<WalletState, 'collections' | 'toBlock' | 'headBlock'>) {
  return ['x-index-collections', String(collections), ...blockHeaders({ fromBlock: null, toBlock, headBlock })]
}
