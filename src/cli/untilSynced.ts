import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from '../util/hex.ts'

/** Asks a server for a collection, which starts its indexing, until all of it is there. */
export async function untilSynced(options: {
  url: string
  apiKey: string
  chain: string
  address: Address
  signal: AbortSignal
}): Promise<void> {
  const { url, apiKey, chain, address, signal } = options
  for (;;) {
    const response = await fetch(`${url}/api/v2/nft/${address}?chain=${chain}&limit=1`, {
      headers: { 'x-api-key': apiKey },
      signal,
    })
    const body = (await response.json()) as { status?: string; result?: unknown[] }
    if (response.ok && body.status === 'SYNCED' && body.result?.length) return
    await delay(200, undefined, { signal })
  }
}
