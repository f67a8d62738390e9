import { setTimeout as delay } from 'node:timers/promises'
import type { Address } from '../../util/hex.ts'

/** Polls a server until a collection is synced; the first request starts its indexing. */
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

/** Polls a server until it has the newest `count` coins. */
export async function untilCoins(options: {
  url: string
  apiKey: string
  count: number
  signal: AbortSignal
}): Promise<void> {
  const { url, apiKey, count, signal } = options
  for (;;) {
    const response = await fetch(`${url}/coins/latest?limit=${count}`, { headers: { 'x-api-key': apiKey }, signal })
    const body = (await response.json()) as { result?: unknown[] }
    if (response.ok && body.result && body.result.length >= count) return
    await delay(200, undefined, { signal })
  }
}
