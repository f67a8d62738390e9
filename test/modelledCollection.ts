import { hash as hashOf } from 'node:crypto'
import { expect } from 'vitest'
import { requestMedia, settleMedia } from '../src/nft/media/mediaStore.ts'
import { raiseVersions } from '../src/nft/store/collectionStore.ts'
import { storeTransfers } from '../src/nft/store/storeTransfers.ts'
import { lastPositionOf, positionOf } from '../src/nft/transfers/position.ts'
import { tokenHash } from '../src/nft/transfers/tokenHash.ts'
import { type Transfer, zeroAddress } from '../src/nft/transfers/transfer.ts'
import { transferGroup } from '../src/nft/transfers/transferGroup.ts'
import type { Address } from '../src/util/hex.ts'
import type { TestDatabase } from './database.ts'
import { type Seeded, seed, store, storeFailure, worker } from './metadataPages.ts'
import type { Random } from './random.ts'

type Made = { database: TestDatabase; random: Random }

/** The holders of tokens, in the form that transfers use. */
export const holders = ['11', '22', '33'].map((digits) => digits.repeat(20))
/** The ids that tokens may have. */
export const ids = [0n, 1n, 2n, 9n, 10n, 11n, 255n, 256n, 10_000n, 2n ** 64n, 2n ** 255n, 2n ** 256n - 1n]

export type Preview = { status: string; details: { size: number; duration: number | null } | null }

/** The metadata of a token. */
export type Document = { name: string; image?: string; animation_url?: string; hat: string }

/** A collection with random transfers and metadata, and the model of both. */
export type ModelledCollection = {
  seeded: Seeded
  transfers: Transfer[]
  documents: Map<bigint, Document>
  failures: Map<bigint, string>
  ranks: Map<bigint, number>
  previews: Map<string, Preview>
  spam: { score: number; reasons: string[] }
}

/** Transfers of ERC-721, of ERC-1155, or of both; some that no correct contract emits. */
function randomTransfers({ int, chance, pick }: Random, erc1155: number): Transfer[] {
  return Array.from({ length: 90 }, (_, i) => {
    const isErc1155 = chance(erc1155)
    const from = chance(0.5) ? zeroAddress : pick(holders)
    return {
      ...{ position: positionOf(10 + Math.floor(i / 3), i), item: 0, tokenId: String(pick(ids)) },
      ...{ from, to: chance(0.1) ? zeroAddress : pick(holders) },
      ...{ amount: isErc1155 ? String(int(4)) : '1', operator: isErc1155 ? holders[0]! : null },
      ...{ transactionHash: 'cd'.repeat(32), transactionIndex: 0, blockHash: 'ab'.repeat(32), blockTime: 60 },
    }
  })
}

/** `erc1155`: the share of transfers of that standard. */
export async function createModelled({ database, random }: Made, erc1155: number): Promise<ModelledCollection> {
  const { db } = database
  const seeded = await seed(database, [])
  const { partition, id, address } = seeded
  const standard = erc1155 === 1 ? 'ERC1155' : 'ERC721'
  const spam = { score: random.int(100), reasons: ['a "reason"'] }
  await db.run(
    'UPDATE collection SET standard = $3, mixed = $4, spam_score = $5, spam_reasons = $6 WHERE partition = $1 AND id = $2',
    [partition, id, standard, erc1155 === 0.5, spam.score, spam.reasons],
  )
  const transfers = randomTransfers(random, erc1155)
  const key = { partition, id, chainId: 1n, address, standard, idInData: false } as const
  await db.transaction(async (tx) => raiseVersions(tx, await storeTransfers(tx, [transferGroup(key, transfers)])))
  const made: ModelledCollection = {
    ...{ seeded, transfers, documents: new Map(), failures: new Map(), ranks: new Map(), previews: new Map(), spam },
  }
  const listed = stateAt(made, null).map(({ tokenId }) => tokenId)
  for (const tokenId of listed) {
    const kind = random.int(4)
    if (kind === 0) continue
    if (kind === 1) made.failures.set(tokenId, `host.example answered ${random.int(100)}`)
    else made.documents.set(tokenId, randomMetadata(random))
  }
  await store(database, seeded, new Map(Array.from(made.documents, ([tokenId, one]) => [tokenId, textOf(one)])))
  for (const [tokenId, reason] of made.failures)
    await storeFailure(database, seeded, { tokenId, uri: `https://host.example/${tokenId}`, reason })
  await rank({ database, random }, made)
  await preview({ database, random }, made)
  return made
}

const randomMetadata = ({ int, chance }: Random): Document => ({
  name: `of ${int(5)} \u{1f600}`,
  ...(chance(0.7) && { image: `https://host.example/${int(3)}.png` }),
  ...(chance(0.5) && { animation_url: `https://host.example/"${int(3)}".mp4` }),
  hat: `hat ${int(2)}`,
})

export const textOf = ({ hat, ...metadata }: Document) =>
  JSON.stringify({ ...metadata, attributes: [{ trait_type: 'Hat', value: hat }] })

async function rank(
  { database, random }: Made,
  { seeded: { partition, id, address }, documents, ranks }: ModelledCollection,
): Promise<void> {
  for (const tokenId of documents.keys()) {
    if (random.chance(0.2)) continue
    ranks.set(tokenId, 1 + random.int(5))
    await database.db.run(
      'INSERT INTO token_rarity (partition, collection_id, token_hash, rank) VALUES ($1, $2, $3, $4)',
      [...[partition, id, tokenHash(address, String(tokenId)), ranks.get(tokenId)]],
    )
  }
  await database.db.run('UPDATE collection SET rarity_documents = 7 WHERE partition = $1 AND id = $2', [partition, id])
}

/** Makes previews of all images or some of them, and of some animations. */
async function preview({ database, random }: Made, { seeded, documents, previews }: ModelledCollection): Promise<void> {
  const { partition, id } = seeded
  const of = [...documents.values()].map((metadata) => urlsOf(metadata))
  const wanted = new Set([
    ...of.flatMap(({ media }) => media ?? []),
    ...of.flatMap(({ animation }) => animation ?? []).filter(() => random.chance(0.5)),
  ])
  for (const url of wanted) {
    const urlHash = hashOf('md5', url)
    await requestMedia(database.db, seeded, [{ urlHash, url, tokenHash: null, isFile: false }])
    const made: Preview = { status: 'processing', details: null }
    previews.set(url, made)
    if (random.chance(0.3)) continue
    made.status = random.pick(['success', 'unsupported_media'])
    if (random.chance(0.6)) made.details = { size: random.int(1_000), duration: random.pick([null, 1.5]) }
    const pendingMedia = { partition, collectionId: id, urlHash, url, tokenHash: null, isFile: false, attempts: 0 }
    const details = made.details && `"size":${made.details.size},"duration":${made.details.duration}`
    const result = { mimetype: 'image/png', category: 'image', parentHash: null, sizes: null, retryAt: null, details }
    expect(await settleMedia(database.db, pendingMedia, { ...result, status: made.status as 'success' }, worker)).toBe(
      true,
    )
  }
}

/** Adds the animations that pages requested to `previews`. */
export async function notePreviews(database: TestDatabase, { seeded, previews }: ModelledCollection): Promise<void> {
  const rows = await database.db.rows<[string]>('SELECT url FROM media WHERE partition = $1 AND collection_id = $2', [
    ...[seeded.partition, seeded.id],
  ])
  for (const [url] of rows) if (!previews.has(url)) previews.set(url, { status: 'processing', details: null })
}

/** An animation replaces a missing image. */
export function urlsOf({ image, animation_url }: Document): { media: string | null; animation: string | null } {
  const film = animation_url ?? null
  return image === undefined ? { media: film, animation: null } : { media: image, animation: film }
}

export type Token = {
  tokenId: bigint
  hash: string
  isErc1155: boolean
  /** The holders and their amounts, ordered by address. */
  held: [holder: Address, amount: number][]
  minter: Address | null
  minted: Transfer
  last: Transfer
}

/** The tokens of the collection at the end of a block, ordered by descending hash. */
export function stateAt(
  { seeded, transfers }: Pick<ModelledCollection, 'seeded' | 'transfers'>,
  block: bigint | null,
): Token[] {
  const until = transfers.filter(({ position }) => block === null || position <= Number(lastPositionOf(block)))
  const tokens = [...Map.groupBy(until, ({ tokenId }) => tokenId)].flatMap(([tokenId, of]): Token[] => {
    const moved = of.filter(({ amount }) => amount !== '0')
    const erc1155Transfers = moved.filter(({ operator }) => operator !== null)
    const balances = new Map<string, number>()
    const add = (holder: string, amount: number) => balances.set(holder, (balances.get(holder) ?? 0) + amount)
    for (const { from, to, amount } of erc1155Transfers) {
      add(from, -Number(amount))
      add(to, Number(amount))
    }
    if (erc1155Transfers.length === 0 && moved.length > 0) add(moved.at(-1)!.to, 1)
    const held = [...balances]
      .filter(([holder, amount]) => holder !== zeroAddress && amount > 0)
      .map(([holder, amount]): [Address, number] => [`0x${holder}`, amount])
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    if (held.length === 0) return []
    const mint = moved.find(({ from }) => from === zeroAddress)
    return [
      {
        ...{
          tokenId: BigInt(tokenId),
          hash: tokenHash(seeded.address, tokenId),
          isErc1155: erc1155Transfers.length > 0,
          held,
        },
        ...{ minter: mint ? `0x${mint.to}` : null, minted: mint ?? moved[0]!, last: moved.at(-1)! },
      },
    ]
  })
  return tokens.toSorted((a, b) => (a.hash < b.hash ? 1 : -1))
}
