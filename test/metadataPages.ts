import { expect, onTestFinished } from 'vitest'
import { createPipeline } from '../src/db/pipeline/pipeline.ts'
import { fetchMetadata } from '../src/nft/metadata/fetchMetadata.ts'
import type { NormalizedMetadata } from '../src/nft/metadata/parse/normalizedMetadata.ts'
import type { Outcome } from '../src/nft/metadata/parse/outcome.ts'
import { parseMetadata } from '../src/nft/metadata/parse/parseMetadata.ts'
import { tokenMetadata } from '../src/nft/metadata/parse/tokenMetadata.ts'
import { createMetadataHosts } from '../src/nft/metadata/store/metadataHosts.ts'
import { settleMetadata } from '../src/nft/metadata/store/settleMetadata.ts'
import { createNftQuery } from '../src/nft/pages/createNftQuery.ts'
import type { NftQuery, RecordOptions } from '../src/nft/query.ts'
import { tokenHash } from '../src/nft/transfers/tokenHash.ts'
import { noopLog } from '../src/util/log.ts'
import type { TestDatabase } from './database.ts'
import { type LeasedCollection, seedLeasedCollection } from './seedLease.ts'

/** The worker that holds the leases of the seeded collections. */
export const worker = 7
export const publicUrl = 'https://pages.example/"quoted"'
export const full: RecordOptions = { hex: false, normalized: true, media: true }

export type Seeded = LeasedCollection
type Media = {
  status: string
  original_media_url: string
  media_collection?: Record<'low' | 'medium' | 'high', { url: string }>
}

export type RecordBody = {
  token_id: string
  token_hash: string
  metadata: string | null
  normalized_metadata: NormalizedMetadata | null
  media: null | (Media & { animation?: Media; file?: Media & { url?: string } })
}

/** Seeds a collection with these token ids; `worker` holds its lease. */
export const seed = ({ db }: TestDatabase, tokens: readonly bigint[]): Promise<Seeded> =>
  seedLeasedCollection(db, { tokens, worker })

/** Stores the result of reading a token URI that contains its metadata itself. */
export async function storeRead(
  { db }: TestDatabase,
  collection: Seeded,
  { tokenId, uri }: { tokenId: bigint; uri: string },
): Promise<void> {
  const get = () => Promise.reject(new TypeError('a host is asked'))
  const hosts = createMetadataHosts([], { retryDelaysMs: [60_000] })
  const { signal } = new AbortController()
  const request = { uri, tokenId, hosts, signal }
  const fetched = await fetchMetadata({ http: { get, pausedMs: () => 0 }, gateways: { get } }, request)
  if (fetched.kind !== 'metadata') throw new TypeError(fetched.reason)
  const outcome = { state: 'ok' as const, uri, metadata: fetched.metadata }
  await settle(db, collection, [{ tokenId, outcome }])
}

/** Stores metadata as the metadata reader does. `documents`: the text that a host sends, by token id. */
export async function store(
  { db }: TestDatabase,
  collection: Seeded,
  documents: ReadonlyMap<bigint, string>,
): Promise<void> {
  const settled = [...documents].map(([tokenId, text]) => {
    const parsed = parseMetadata(Buffer.from(text), 'application/json')
    if (!parsed.ok) throw new TypeError(parsed.reason)
    const metadata = tokenMetadata(parsed.text, parsed.value, tokenId)
    return { tokenId, outcome: { state: 'ok' as const, uri: 'https://example.org/\u{1f600}', metadata } }
  })
  await settle(db, collection, settled)
}

/** Stores that reading a token's metadata failed. */
export async function storeFailure(
  { db }: TestDatabase,
  collection: Seeded,
  { tokenId, uri, reason }: { tokenId: bigint; uri: string | null; reason: string },
): Promise<void> {
  await settle(db, collection, [{ tokenId, outcome: { state: 'permanent', uri, reason } }])
}

async function settle(
  db: TestDatabase['db'],
  collection: Seeded,
  outcomes: readonly { tokenId: bigint; outcome: Outcome }[],
): Promise<void> {
  const at = new Date()
  const settled = outcomes.map(({ tokenId, outcome }) => {
    const hash = tokenHash(collection.address, String(tokenId))
    return { token: { hash, tokenId, attempts: 0, dueAt: at, announcedAt: null }, outcome, at }
  })
  expect(await settleMetadata(db, { collection, worker, coolOffMs: 0, settled })).toBe(true)
}

/** Two readers of pages. One uses a pipeline, as the service does; the other uses a pool whose connections decode rows. */
export function queries({ db, connection }: TestDatabase): [piped: NftQuery, decoding: NftQuery] {
  const pipeline = createPipeline({
    connection,
    connections: 2,
    queueTimeoutMs: 10_000,
    log: noopLog,
  })
  onTestFinished(() => pipeline.close())
  const options = { db, publicUrl: () => publicUrl }
  return [createNftQuery({ ...options, reader: pipeline }), createNftQuery(options)]
}

export async function read(query: NftQuery, collection: Seeded, options = full, limit = 100): Promise<RecordBody[]> {
  const state = (await query.state(1n, collection.address))!
  const whole = { from: null, to: null }
  const found: RecordBody[] = []
  for (let after: string | null = null; ; ) {
    const page = await query.page({ state, address: collection.address, range: whole, after, limit, ...options })
    const records = JSON.parse(page.records.toBuffer('[', ']').toString()) as RecordBody[]
    expect(records).toHaveLength(page.count)
    found.push(...records)
    if (page.last === null) return found
    expect(page.last).toBe(found.at(-1)!.token_hash)
    after = page.last
  }
}
