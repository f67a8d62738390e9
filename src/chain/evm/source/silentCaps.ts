/**
 * Finds answers of eth_getLogs that a node may have cut without an error. Limits are round numbers, so only such an answer is suspicious, and only if it
 * has more logs than any whole answer of its endpoint, or as many as one that was cut.
 */
export type SilentCaps = {
  isSuspicious(endpoint: string, logs: number): boolean
  /** The endpoint returned so many logs, and no others were missing. */
  noteWhole(endpoint: string, logs: number): void
  /** The endpoint returned so many logs, and others were missing. */
  noteCut(endpoint: string, logs: number): void
}

/** Nodes with a lower limit are not known, and small round numbers are common. */
const lowest = 500

export function createSilentCaps(): SilentCaps {
  const most = new Map<string, number>()
  const cut = new Map<string, number>()
  return {
    isSuspicious: (endpoint, logs) => isRound(logs) && (logs > (most.get(endpoint) ?? 0) || logs === cut.get(endpoint)),
    noteWhole: (endpoint, logs) => void most.set(endpoint, Math.max(logs, most.get(endpoint) ?? 0)),
    noteCut: (endpoint, logs) => void cut.set(endpoint, logs),
  }
}

function isRound(logs: number): boolean {
  return logs >= lowest && (logs % lowest === 0 || Number.isInteger(Math.log2(logs)))
}
