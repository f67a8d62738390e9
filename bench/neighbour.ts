import { randomBytes, randomInt } from 'node:crypto'
import { Pool } from 'undici'
import { answer, childInput } from './child.ts'

/** The requests that the neighbour repeats over all of its connections. */
export type NeighbourKind = 'tokens' | 'traits' | 'snapshots' | 'exports' | 'unknown'

/** A client with its own key that sends as many requests as it can. It sends the next one right after any response. */
export type NeighbourInput = {
  origin: string
  key: string
  connections: number
  chain: string
  contract: string
  tokens: number
  /** The first block and the last final block. */
  blocks: [number, number]
}
/** Counts of its responses since it began. `longestMs`: the longest time of a response other than 429. */
export type NeighbourResult = {
  answered: number
  rejected: number
  failed: number
  bytes: number
  longestMs: number
  seconds: number
}

type Requested = { method: 'GET' | 'POST'; path: string; body?: string }

const colours = ['Red', 'Green', 'Blue', 'Gold', 'Grey', 'Teal', 'Plum', 'Rust']
const traitTypes = ['Background', 'Fur', 'Eyes', 'Mouth', 'Hat', 'Clothes']

const input = childInput<NeighbourInput>()
const { origin, key, connections, chain, contract, tokens, blocks } = input
const nft = `/api/v2/nft/${contract}`

/** Requests differ from each other where the kind allows it, so that no response is cached. */
const make: Record<NeighbourKind, () => Requested> = {
  tokens() {
    const requested = Array.from({ length: 100 }, () => ({
      token_address: contract,
      token_id: String(randomInt(tokens)),
    }))
    const body = JSON.stringify({ tokens: requested, normalizeMetadata: true, media_items: true })
    return { method: 'POST', path: `/api/v2/nft/getMultipleNFTs?chain=${chain}`, body }
  },
  traits() {
    const id = randomInt(256)
    const query = new URLSearchParams({ chain, limit: String(randomInt(1, 101)), disable_total: 'false' })
    for (const [i, type] of traitTypes.entries()) query.append('traits', `${type}:${colours[(id >> i) % 8]} ${type}`)
    return { method: 'GET', path: `${nft}?${query}` }
  },
  snapshots: () => ({ method: 'GET', path: `${nft}/snapshot?chain=${chain}&as_of_block=${randomInt(...blocks)}` }),
  exports: () => ({ method: 'GET', path: `${nft}/export?chain=${chain}&format=ndjson` }),
  unknown: () => ({ method: 'GET', path: `/api/v2/nft/0x${randomBytes(20).toString('hex')}?chain=${chain}` }),
}

let running: { stop: AbortController; ended: Promise<NeighbourResult> } | undefined

/** A kind starts the requests; null stops them and returns the result. */
process.on('message', async (kind: NeighbourKind | null) => {
  if (kind !== null) {
    const stop = new AbortController()
    running = { stop, ended: run(make[kind], stop.signal) }
    return
  }
  running!.stop.abort()
  answer(await running!.ended)
})

async function run(next: () => Requested, signal: AbortSignal): Promise<NeighbourResult> {
  const pool = new Pool(origin, { connections })
  const found: NeighbourResult = { answered: 0, rejected: 0, failed: 0, bytes: 0, longestMs: 0, seconds: 0 }
  const began = performance.now()
  async function sendRequest(): Promise<void> {
    const headers = { 'x-api-key': key, accept: '*/*', 'content-type': 'application/json' }
    while (!signal.aborted) {
      const requestedAt = performance.now()
      try {
        const { statusCode, body } = await pool.request({ ...next(), headers, signal })
        for await (const part of body) found.bytes += (part as Buffer).length
        if (statusCode === 429) found.rejected++
        else {
          found.longestMs = Math.max(found.longestMs, performance.now() - requestedAt)
          if (statusCode < 500) found.answered++
          else found.failed++
        }
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, sendRequest))
  found.seconds = (performance.now() - began) / 1_000
  await pool.destroy()
  return found
}
