import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { JoinRead } from '../index/createJoins.ts'
import { countMoves, type Moves, movesOf } from './movesOf.ts'
import type { JoinableWallet } from './walletStore.ts'

/** A wallet that joins the head, in parts if it has too many transfers for one transaction. `partly`: a partly stored log. */
export type JoiningWallet = JoinableWallet & { partly?: { log: RpcLog; stored: number } }

export type ReadWallet = { subject: JoiningWallet; logs: RpcLog[] }

/** Plan for storing reads by transactions. */
export type JoinPlan = {
  /** Wallets that join now. */
  fitting: ReadWallet[]
  /** A wallet whose next `capacity` transfers are stored. */
  large: ReadWallet | undefined
  capacity: number
  /** Stored by later transactions. */
  later: ReadWallet[]
}

/** `most`: transfers per transaction. */
export function planJoins(reads: readonly JoinRead<JoiningWallet>[], most: number): JoinPlan {
  const plan: JoinPlan = { fitting: [], large: undefined, capacity: most, later: [] }
  for (const read of reads) {
    if (!('logs' in read)) continue
    const count = lacking(read)
    if (count <= plan.capacity) {
      plan.capacity -= count
      plan.fitting.push(read)
    } else if (count > most && !plan.large) plan.large = read
    else plan.later.push(read)
  }
  if (plan.large && plan.capacity === 0) return { ...plan, large: undefined, later: [...plan.later, plan.large] }
  return plan
}

function lacking({ subject, logs }: ReadWallet): number {
  const counts = countMoves(logs, new Map([[subject.holder, subject]]))
  return (counts.get(subject) ?? 0) - (subject.partly?.stored ?? 0)
}

/** The next transfers of a wallet after block `above`, at most `most`, and the rest. */
export function nextPart(
  { subject, logs }: ReadWallet,
  above: bigint,
  most: number,
): { moves: Moves; remaining: ReadWallet } {
  const { partly, ...wallet } = subject
  const wallets = new Map([[subject.holder, { partition: subject.partition, id: subject.id }]])
  const moves: Moves = { moves: [], oversized: [] }
  const rest = logs.filter(({ blockNumber }) => BigInt(blockNumber) > above)
  for (const [i, log] of rest.entries()) {
    const stored = log === partly?.log ? partly.stored : 0
    const own = movesOf([log], wallets)
    const capacity = most - moves.moves.length
    const part = own.moves.slice(stored, stored + capacity)
    for (const move of part) moves.moves.push(move)
    const reached = stored + part.length
    if (reached < own.moves.length)
      return { moves, remaining: { subject: { ...wallet, partly: { log, stored: reached } }, logs: rest.slice(i) } }
    for (const log of own.oversized) moves.oversized.push(log)
  }
  return { moves, remaining: { subject: wallet, logs: [] } }
}
