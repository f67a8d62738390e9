import { z } from 'zod'
import { type CollectionState, followedBlock } from '../../nft/query.ts'
import type { FollowedBlock, WalletQuery, WalletState } from '../../nft/walletQuery.ts'
import { createRecent, type Recent } from '../pages/recent.ts'
import { type Telling, tellHead } from '../pages/tellHead.ts'
import type { Snapshot } from './collections.ts'
import { indexHeaderSchema } from './schemas.ts'
import type { Told } from './tellCollection.ts'
import { toldTogether } from './tellTogether.ts'

const header = (description: string) => z.string().optional().describe(description)

/** Headers of an answer on a wallet. */
export const walletHeaderSchema = indexHeaderSchema.extend({
  'x-index-status': z
    .enum(['queued', 'syncing', 'synced', 'failed'])
    .describe('State of the indexing of all collections that the answer covers.'),
  'x-index-progress': header(
    'With token_addresses or contract_addresses: the lowest part of a history that is covered, from 0 to 1.',
  ),
  'x-index-metadata-progress': header(
    'With token_addresses or contract_addresses: the lowest part of the metadata that is read, from 0 to 1.',
  ),
  'x-index-collections': z.string().describe('How many collections of the chain the answer covers.'),
  'x-index-incomplete': header(
    'Of how many of these collections something was left out, or, where contracts are named, what of one of them; missing where nothing was.',
  ),
  'x-index-to-block': header(
    'Last block up to which the answer covers all of these collections; missing where there is none.',
  ),
})

/** What an answer says of itself; it holds while `block` is not undone, null: it is of no block that may be. */
export type WalletTelling = Telling<Told> & { block: FollowedBlock | null }

export type WalletTellings = {
  /** What answers say of themselves that cover all collections of a chain; called before what is answered is read. */
  read(chainId: bigint): Promise<WalletTelling>
  /** Has it read again. */
  forget(chainId: bigint): void
}

export function createWalletTellings({ query, freshMs }: { query: WalletQuery; freshMs: number }): WalletTellings {
  const chains = new Map<bigint, Recent<WalletTelling>>()
  return {
    read(chainId) {
      let recent = chains.get(chainId)
      if (!recent) {
        const read = async () => {
          const readAt = performance.now()
          return tellChain(await query.state(chainId), readAt)
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
function tellChain(state: WalletState, readAt: number): WalletTelling {
  const { incomplete } = state
  const leftOut = incomplete > 0 ? ['x-index-incomplete', `left out: parts of ${incomplete} of the collections`] : []
  const told = (synced: boolean): Told => ({
    status: synced ? 'SYNCED' : 'SYNCING',
    headers: ['x-index-status', synced ? 'synced' : 'syncing', ...covering(state), ...leftOut],
  })
  const telling = tellHead({
    ...{ head: state.head, readAt, told: told(state.synced) },
    withdraw: state.synced ? () => told(false) : undefined,
  })
  return { ...telling, block: state.block }
}

/**
 * What answers on wallets say that cover named collections alone. Reads how far the tables of wallets have these, so it is called before
 * what is answered is read.
 */
export async function tellNamed(query: WalletQuery, snapshots: readonly Snapshot[]): Promise<WalletTelling> {
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
  const { confirmedAt, at } = toldTogether(pages.map(({ tell }) => tell))
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

/** A contract that was not looked at yet, or that has no tokens, is none that an answer covers. */
function isCovered({ status, standard }: CollectionState): boolean {
  return standard !== null && status !== 'none' && status !== 'nocode'
}

function covering({ collections, toBlock, headBlock }: Pick<WalletState, 'collections' | 'toBlock' | 'headBlock'>) {
  const headers = ['x-index-collections', String(collections)]
  if (toBlock !== null) headers.push('x-index-to-block', String(toBlock))
  if (headBlock !== null) headers.push('x-index-head-block', String(headBlock))
  if (toBlock !== null && headBlock !== null)
    headers.push('x-index-lag-blocks', String(headBlock > toBlock ? headBlock - toBlock : 0n))
  return headers
}
