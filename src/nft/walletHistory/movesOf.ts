import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { RowKey } from '../../db/rowKeys.ts'
import type { Address } from '../../util/hex.ts'
import { decodeTransfers, indexedForm, surveyLogs } from '../transfers/decodeTransfers.ts'
import { type Holder, partiesOf } from '../transfers/indexedLogs.ts'
import { tokenHash } from '../transfers/tokenHash.ts'
import type { Transfer } from '../transfers/transfer.ts'

/** Key of a wallet in the tables. */
export type WalletKey = RowKey

/** A transfer as a row of one of its wallets. */
export type Move = { wallet: WalletKey; contract: Address; hash: string; transfer: Transfer }

/** A log of a wallet with too many tokens. */
export type OversizedLog = { wallet: WalletKey; position: number }

export type Moves = { moves: Move[]; oversized: OversizedLog[] }

/** Wallets by address. */
type WalletsByHolder<W> = { get(holder: Holder): W | undefined }

/** The wallets that send or receive the tokens of a log, once each. */
export function walletsIn<W>(log: RpcLog, wallets: WalletsByHolder<W>): readonly W[] {
  const [from, to] = partiesOf(log)
  if (from === undefined || to === undefined) return []
  const [giver, receiver] = [wallets.get(from), wallets.get(to)]
  if (giver === undefined) return receiver === undefined ? [] : [receiver]
  return receiver === undefined || receiver === giver ? [giver] : [giver, receiver]
}

/** Number of transfers by wallet, counted before decoding: one log may have 100,000. */
export function countMoves<W extends WalletKey>(logs: Iterable<RpcLog>, wallets: WalletsByHolder<W>): Map<W, number> {
  const counts = new Map<W, number>()
  for (const log of logs)
    for (const wallet of walletsIn(log, wallets))
      counts.set(wallet, (counts.get(wallet) ?? 0) + surveyLogs([log], indexedForm).transfers)
  return counts
}

/** Transfers of some wallets in logs. A transfer between two of them appears for each, one to oneself once. */
export function movesOf(logs: Iterable<RpcLog>, wallets: WalletsByHolder<WalletKey>): Moves {
  const found: Moves = { moves: [], oversized: [] }
  for (const log of logs) {
    const own = walletsIn(log, wallets)
    if (own.length === 0) continue
    for (const { position } of surveyLogs([log], indexedForm).oversized)
      for (const wallet of own) found.oversized.push({ wallet, position })
    for (const transfer of decodeTransfers([log], indexedForm)) {
      const hash = tokenHash(log.address, transfer.tokenId)
      for (const wallet of own) found.moves.push({ wallet, contract: log.address, hash, transfer })
    }
  }
  return found
}
