import { chunksOf } from '../../../util/chunksOf.ts'
import type { Address, Hex } from '../../../util/hex.ts'
import { addressOf, hash32Of } from '../rpc/normalForm.ts'
import type { Rpc } from '../rpc/rpc.ts'
import type { EvmSource } from './source.ts'

/** Most transactions in one request: each may have a long input. */
const mostAtOnce = 25

/** Reads the senders of transactions by hash: those that one endpoint does not return are requested from the others. */
export function createSenderReader(rpc: Rpc): EvmSource['senders'] {
  const chunk = Math.min(mostAtOnce, rpc.batchSize)

  async function fill(
    hashes: readonly Hex[],
    { found, avoid }: { found: Map<Hex, Address>; avoid: Set<string> },
    signal?: AbortSignal,
  ): Promise<void> {
    const calls = hashes.map((hash) => ({ method: 'eth_getTransactionByHash', params: [hash] }))
    const { result, endpoint } = await rpc.together<unknown>(calls, {
      avoid: new Set(avoid),
      ...(signal && { signal }),
    })
    for (const [i, hash] of hashes.entries()) {
      const sender = senderIn(result[i], hash)
      if (sender === undefined) avoid.add(endpoint)
      else found.set(hash, sender)
    }
  }

  return async (hashes, signal) => {
    const found = new Map<Hex, Address>()
    const avoid = new Set<string>()
    for (let attempt = 0; attempt < rpc.endpoints; attempt++) {
      const missing = hashes.filter((hash) => !found.has(hash))
      await Promise.all(Array.from(chunksOf(missing, chunk), (part) => fill(part, { found, avoid }, signal)))
    }
    return hashes.map((hash) => found.get(hash) ?? null)
  }
}

/** undefined: no answer for this transaction. */
function senderIn(answer: unknown, hash: Hex): Address | undefined {
  if (answer instanceof Error || answer === null || typeof answer !== 'object') return undefined
  const { hash: given, from } = answer as { hash?: unknown; from?: unknown }
  return hash32Of(given) === hash ? addressOf(from) : undefined
}
