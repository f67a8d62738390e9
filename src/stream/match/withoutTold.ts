import type { StreamMatch } from './match.ts'

/** What streams get of a block without what was told of it; matches of which nothing is left are gone. */
export function withoutTold(matches: readonly StreamMatch[], told: readonly StreamMatch[]): StreamMatch[] {
  const before = new Map(told.map((match) => [match.stream.id, match]))
  return matches
    .map((own) => {
      const known = before.get(own.stream.id)
      if (!known) return own
      const [logs, transfers] = [new Set(known.logs), new Set(known.internalTransfers)]
      return {
        stream: own.stream,
        logs: own.logs.filter((log) => !logs.has(log)),
        transactions: new Set([...own.transactions].filter((hash) => !known.transactions.has(hash))),
        internalTransfers: own.internalTransfers.filter((transfer) => !transfers.has(transfer)),
      }
    })
    .filter((own) => own.logs.length + own.transactions.size + own.internalTransfers.length > 0)
}
