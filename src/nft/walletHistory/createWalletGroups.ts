import type { Sql } from '../../db/database.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import { createLru } from '../../util/createLru.ts'
import type { RunSlicesOptions } from '../index/runSlices.ts'
import type { SubjectKey, WaitingSubject } from '../store/historyQueue.ts'
import { type DueWallet, takeWalletSlices } from './walletStore.ts'
import { mostTogether } from './walletTopics.ts'

/** Wallets whose largest group size is remembered. */
const mostSizes = 100_000

/** Groups of wallets to read together: those of a group lack the same blocks. */
export type WalletGroups = {
  /** Starts at most `limit` groups of a chain. Wallets of further groups keep their place. `fullOnly`: excludes groups that may still grow. */
  take(of: Parameters<RunSlicesOptions['take']>[0] & { fullOnly?: boolean }): Promise<DueWallet[][]>
  /** Halves the group size of wallets: one of them delays the others, or the node accepts no longer lists. */
  split(wallets: readonly SubjectKey[]): void
  /** Reads these wallets individually. */
  setApart(wallets: readonly SubjectKey[]): void
}

export function createWalletGroups(sql: Sql): WalletGroups {
  /** Largest group size of a wallet, unless it is `mostTogether`. */
  const sizes = createLru<bigint, number>(mostSizes)
  const sizeOf = ({ id }: SubjectKey) => sizes.get(id) ?? mostTogether

  function groupsOf(waiting: readonly WaitingSubject[]): WaitingSubject[][] {
    const nameOf = (wallet: WaitingSubject) => `${sizeOf(wallet)} ${wallet.coveredTo}`
    return [...Map.groupBy(waiting, nameOf).values()].flatMap((same) => [...chunksOf(same, sizeOf(same[0]!))])
  }

  return {
    async take({ limit, fullOnly, ...of }) {
      let groups: WaitingSubject[][] = []
      const isFull = (group: WaitingSubject[]) => group.length === sizeOf(group[0]!)
      function choose(waiting: readonly WaitingSubject[]): WaitingSubject[] {
        const all = groupsOf(waiting)
        groups = (fullOnly ? all.filter(isFull) : all).slice(0, limit)
        return groups.flat()
      }
      const taken = await takeWalletSlices(sql, { ...of, limit: limit * mostTogether, choose })
      const byId = new Map(taken.map((wallet) => [wallet.id, wallet]))
      return groups.map((group) => group.flatMap(({ id }) => byId.get(id) ?? [])).filter(({ length }) => length > 0)
    },
    split(wallets) {
      for (const wallet of wallets)
        sizes.set(wallet.id, Math.max(1, Math.ceil(Math.min(wallets.length, sizeOf(wallet)) / 2)))
    },
    setApart(wallets) {
      for (const { id } of wallets) sizes.set(id, 1)
    },
  }
}
