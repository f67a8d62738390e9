import type { Sql } from '../../db/database.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import { createLru } from '../../util/createLru.ts'
import type { RunTurnsOptions } from '../index/runTurns.ts'
import type { SubjectKey, WaitingSubject } from '../store/historyQueue.ts'
import { type DueWallet, takeWalletTurns } from './walletStore.ts'
import { mostTogether } from './walletTopics.ts'

/** Wallets of which it is remembered with how many others they may be read. */
const mostSizes = 100_000

/** The groups in which wallets are read: those of a group lack the same blocks. */
export type WalletGroups = {
  /**
   * Begins the turns of at most `limit` groups of a chain. Wallets of further groups keep their place. `fullOnly`: those too whose group may still
   * grow.
   */
  take(of: Parameters<RunTurnsOptions['take']>[0] & { fullOnly?: boolean }): Promise<DueWallet[][]>
  /** Has wallets read with fewer others: one of them holds up the others, or the node takes no longer list. */
  split(wallets: readonly SubjectKey[]): void
  /** Has wallets read alone. */
  setApart(wallets: readonly SubjectKey[]): void
}

export function createWalletGroups(sql: Sql): WalletGroups {
  /** With how many others a wallet may be read, where these are not `mostTogether`. */
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
      const taken = await takeWalletTurns(sql, { ...of, limit: limit * mostTogether, choose })
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
