import * as protos from '@aptos-labs/aptos-protos'

/** A transaction in both forms that nodes return. */
export type ScriptedTransaction = {
  version: bigint
  rest: Record<string, unknown>
  /** `aptos.transaction.v1.Transaction`, encoded by the chain's own package. */
  encoded: Uint8Array
}

/** The transactions that fake nodes serve. Versions are consecutive from `first` on. */
export type AptosChain = {
  chainId: number
  transactions: readonly ScriptedTransaction[]
  /** -1 for an empty chain that begins at 0. */
  head(): bigint
  at(version: bigint): ScriptedTransaction | undefined
  /** Adds a transaction with the next version. */
  add(transaction: { proto: object; rest: object }): bigint
  /** Resolves with the next transaction, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void>
}

const { Transaction } = protos.aptos.transaction.v1

export function createAptosChain(options: { chainId: number; first?: bigint }): AptosChain {
  const first = options.first ?? 0n
  const transactions: ScriptedTransaction[] = []
  const waiting = new Set<() => void>()
  return {
    chainId: options.chainId,
    transactions,
    head: () => first + BigInt(transactions.length) - 1n,
    at: (version) => transactions[Number(version - first)],
    add({ proto, rest }) {
      const version = first + BigInt(transactions.length)
      const encoded = Transaction.encode(Transaction.fromJSON({ ...proto, version: String(version) })).finish()
      transactions.push({ version, rest: { ...rest, version: String(version) }, encoded })
      for (const resume of waiting) resume()
      return version
    },
    changed: (signal) =>
      new Promise((resolve) => {
        const done = () => {
          waiting.delete(done)
          signal.removeEventListener('abort', done)
          resolve()
        }
        waiting.add(done)
        signal.addEventListener('abort', done)
        if (signal.aborted) done()
      }),
  }
}
