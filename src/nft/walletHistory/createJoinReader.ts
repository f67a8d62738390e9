import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import type { Sql } from '../../db/database.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import { readFollowedLogs } from '../index/readFollowedLogs.ts'
import { type Holder, partiesOf } from '../transfers/indexedLogs.ts'
import { inOrder } from './createWalletLogs.ts'
import type { JoinableWallet } from './walletStore.ts'
import { filtersOf, mostTogether } from './walletTopics.ts'

type Requested = { wallet: JoinableWallet; give: (logs: RpcLog[] | undefined) => void; fail: (error: unknown) => void }

/**
 * Reads logs of wallets from the end of their histories to block `to`. Concurrent requests that lack the same blocks share their requests. undefined:
 * the chain moved.
 */
export function createJoinReader(options: { source: Pick<EvmSource, 'logs'>; db: Sql; chainId: bigint }) {
  let requested: { name: string; to: bigint; signal: AbortSignal; of: Requested }[] = []

  async function readGroup(group: readonly Requested[], to: bigint, signal: AbortSignal): Promise<void> {
    try {
      const from = group[0]!.wallet.toBlock + 1n
      const answers = await Promise.all(
        filtersOf(group.map(({ wallet }) => wallet.holder)).map((topics) =>
          readFollowedLogs(options, { topics, from, to }, signal),
        ),
      )
      if (answers.includes(undefined)) {
        for (const { give } of group) give(undefined)
        return
      }
      const byHolder = new Map<Holder, RpcLog[]>(group.map(({ wallet }) => [wallet.holder, []]))
      for (const entry of inOrder(answers.flatMap((logs) => logs ?? [])))
        for (const holder of new Set(partiesOf(entry))) byHolder.get(holder)?.push(entry)
      for (const { wallet, give } of group) give(byHolder.get(wallet.holder)!)
    } catch (error) {
      // A node that accepts no lists, or too many logs together: individual reads show which wallet is the cause.
      if (group.length > 1 && !signal.aborted) {
        const half = Math.ceil(group.length / 2)
        await readGroup(group.slice(0, half), to, signal)
        await readGroup(group.slice(half), to, signal)
        return
      }
      for (const { fail } of group) fail(error)
    }
  }

  function readRequested(): void {
    const all = requested
    requested = []
    for (const same of Map.groupBy(all, ({ name }) => name).values())
      for (const group of chunksOf(same, mostTogether)) {
        const { to, signal } = group[0]!
        // A read that is not needed any more ends only with the handler, as others need its result.
        void readGroup(
          group.map(({ of }) => of),
          to,
          signal,
        )
      }
  }

  return (wallet: JoinableWallet, to: bigint, signal: AbortSignal): Promise<RpcLog[] | undefined> => {
    const { promise, resolve, reject } = Promise.withResolvers<RpcLog[] | undefined>()
    if (requested.length === 0) queueMicrotask(readRequested)
    requested.push({ name: `${wallet.toBlock} ${to}`, to, signal, of: { wallet, give: resolve, fail: reject } })
    return promise
  }
}
