import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../test/database.ts'
import { fillWallets } from '../../../../test/fillWallets.ts'
import { setLater } from '../../../../test/laterWallet.ts'
import {
  document,
  hasMetadata,
  holder,
  holdingsOf,
  isOfWallet,
  isSpam,
  type Kind,
  kinds,
  moved,
  noMetadata,
  randomTransfers,
} from '../../../../test/modelledWallet.ts'
import { createRandom, freshSeed, type Random } from '../../../../test/random.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { type Address, hexToBuffer } from '../../../util/hex.ts'
import type { NftQuery } from '../../query.ts'
import { storeTransfers } from '../../store/storeTransfers.ts'
import { blockOfPosition, lastPositionOf, positionOf } from '../../transfers/position.ts'
import { highestHash, tokenHash } from '../../transfers/tokenHash.ts'
import { type Transfer, zeroAddress } from '../../transfers/transfer.ts'
import { transferGroup } from '../../transfers/transferGroup.ts'
import { storeMoves } from '../../walletHistory/storeMoves.ts'
import type { WholeContractPlace, WholeFilter, WholeOrder, WholePlace, WholeWalletQuery } from '../../walletQuery.ts'
import { createNftQuery } from '../createNftQuery.ts'
import { createWholeQuery } from './createWholeQuery.ts'

const chainId = 1n
const wallet: Address = `0x${holder}`

type Contract = {
  address: Address
  kind: Kind
  /** All transfers of its collection, and those that the wallet's topics found. */
  indexed: Transfer[]
  found: Transfer[]
}

let database: TestDatabase
let whole: WholeWalletQuery
let nft: NftQuery
beforeAll(async () => {
  database = await createTestDatabase()
  const { db } = database
  const openChains = { open: () => Promise.reject(new Error('no chain is opened')) } as never
  whole = createWholeQuery({ db, blockHashes: undefined as never, openChains })
  nft = createNftQuery({ db })
})
afterAll(() => database?.drop())

async function createContract(random: Random, of: number): Promise<Contract> {
  const kind = kinds[of % kinds.length]!
  const address: Address = `0x${random.int(256).toString(16).padStart(2, '0')}${(of + 1).toString(16).padStart(38, '0')}`
  const all = randomTransfers(random, of, 10 + random.int(30))
  const ofWallet = all.filter(isOfWallet)
  const found = kind.unindexed ? ofWallet.filter(({ to }) => random.chance(to === holder ? 0.9 : 0.1)) : ofWallet
  const indexed = kind.status === 'live' ? all : kind.status === 'syncing' ? all.filter(() => random.chance(0.6)) : []
  if (kind.status !== null) {
    const partition = partitionOf(chainId, address)
    const columns = {
      partition,
      chain_id: chainId,
      address: hexToBuffer(address),
      status: kind.status,
      ...kind.columns,
    }
    const given = { ...columns, unindexed: kind.unindexed, standard: 'ERC721', from_block: 0n }
    const names = Object.keys(given)
    const [row] = await database.db.rows<[bigint]>(
      `INSERT INTO collection (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')}) RETURNING id`,
      Object.values(given),
    )
    const key = { partition, id: row![0], chainId, address, standard: 'ERC721', idInData: false } as const
    await database.db.transaction((tx) => storeTransfers(tx, [transferGroup(key, indexed)]))
    const hashes = new Set(
      all.map(({ tokenId }) => tokenHash(address, tokenId)).filter((hash) => hasMetadata(kind, hash)),
    )
    await database.db.run(
      `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, tried_at, record)
       SELECT $1, $2, h, 'ok', 0, now(), $4 FROM unnest($3::uuid[]) h`,
      [partition, row![0], [...hashes], JSON.stringify(document).slice(1, -1)],
    )
  }
  return { address, kind, indexed, found }
}

async function createHistory(random: Random): Promise<Contract[]> {
  const { db } = database
  await db.transaction((tx) =>
    tx.script(
      'TRUNCATE chain, collection, token, token_metadata, balance, transfer, transfer_range, wallet, wallet_move, wallet_holding CASCADE',
    ),
  )
  await db.run(
    `INSERT INTO chain (id, genesis_hash, block_number, block_hash, head_number, finalized_number) VALUES ($1, '\\x00', 20, '\\x00', 20, 20)`,
    [chainId],
  )
  const partition = partitionOf(chainId, wallet)
  const [row] = await db.rows<[bigint]>(
    `INSERT INTO wallet (partition, chain_id, address, requested_by, status, live_since, from_block) VALUES ($1, $2, $3, 0, 'live', now(), 0) RETURNING id`,
    [partition, chainId, hexToBuffer(wallet)],
  )
  const contracts: Contract[] = []
  for (let of = 0; of < kinds.length + 3; of++) contracts.push(await createContract(random, of))
  await fillWallets(db)
  const moves = contracts.flatMap(({ address, found }) =>
    found.map((transfer) => ({
      wallet: { partition, id: row![0] },
      contract: address,
      hash: tokenHash(address, transfer.tokenId),
      transfer,
    })),
  )
  await db.transaction((tx) => storeMoves(tx, { moves, oversized: [] }))
  return contracts
}

type Combination = {
  complete: boolean
  asOf: bigint | null
  spam: 'all' | 'none' | 'only'
  only: boolean
  order: WholeOrder
  /** The position since which the walk has its order, as if it had begun there; null: it begins now. */
  since: number | null
  acquired: boolean
  include: boolean
  /** Whether metadata is read with the tokens. */
  together: boolean
  limit: number
}

/** All combinations of selection and order. The other options are random. */
const combinations = [true, false].flatMap((complete) =>
  (complete ? [null, 7n, 13n] : [null]).flatMap((asOf) =>
    (['all', 'none', 'only'] as const).flatMap((spam) =>
      [false, true].flatMap((only) =>
        (['contract', 'acquired'] as const).flatMap((order) =>
          [false, true].map((acquired) => ({ complete, asOf, spam, only, order, acquired })),
        ),
      ),
    ),
  ),
)

/** Fields of a token on a page. */
type Shown = Record<string, unknown> & { token_address: Address; token_hash: string }
/** `place`: in the order of the walk; undefined: the token came after it began. */
type Expected = Shown & { place: number | undefined }

/** Returns the tokens of a combination, in its order. */
function expectedOf(contracts: readonly Contract[], only: readonly Address[] | null, of: Combination): Expected[] {
  const shown = contracts.flatMap(({ address, kind, indexed, found }): Expected[] => {
    if (only !== null && !only.includes(address)) return []
    if (of.spam !== 'all' && isSpam(kind) !== (of.spam === 'only')) return []
    if (of.complete && kind.unindexed && kind.status !== 'live') return []
    const byCollection = of.complete ? kind.unindexed : kind.status === 'live' || kind.status === 'syncing'
    const until = (list: readonly Transfer[]) =>
      of.asOf === null ? list : list.filter(({ position }) => position <= Number(lastPositionOf(of.asOf!)))
    const ofWallet = until(byCollection ? indexed : found).filter(isOfWallet)
    const isOwn = !byCollection || of.asOf !== null
    return holdingsOf(isOwn ? ofWallet : indexed, isOwn).map(({ tokenId, isErc1155, amount, got, gotBy, moves }) => {
      // `all` has all known transfers of the token.
      const known = byCollection || kind.status === 'live' ? until(indexed) : ofWallet
      const all = known.filter((one) => one.tokenId === tokenId && moved(one))
      const mint = all.find(({ from }) => from === zeroAddress)
      const last = of.asOf === null || isErc1155 ? all.at(-1)! : moves.at(-1)!
      const { columns } = kind
      const hash = tokenHash(address, tokenId)
      return {
        token_address: address,
        token_hash: hash,
        ...(hasMetadata(kind, hash) ? document : noMetadata),
        ...{ normalized_metadata: null, media: null },
        ...{ token_id: tokenId, owner_of: wallet, amount: String(amount) },
        minter_address: mint ? `0x${mint.to}` : null,
        block_number: String(blockOfPosition(BigInt(last.position))),
        block_number_minted: String(blockOfPosition(BigInt((mint ?? all[0]!).position))),
        contract_type: isErc1155 ? 'ERC1155' : 'ERC721',
        ...{ name: columns.name ?? null, symbol: columns.symbol ?? null },
        ...{ possible_spam: isSpam(kind), verified_collection: columns.verified ?? false },
        ...(of.include && { spam_score: columns.spam_score ?? 0, spam_reasons: columns.spam_reasons ?? [] }),
        ...(of.acquired && {
          acquired: {
            block: blockOfPosition(BigInt(got.position)),
            time: new Date(1_000 * got.blockTime!).toISOString(),
          },
        }),
        place: of.since === null ? got.position : gotBy(of.since)?.position,
      }
    })
  })
  const placeOf = ({ token_address, token_hash }: Expected) => `${token_address} ${token_hash}`
  return shown.toSorted(
    (a, b) => (of.order === 'acquired' ? (b.place ?? 0) - (a.place ?? 0) : 0) || (placeOf(a) < placeOf(b) ? 1 : -1),
  )
}

/** Where a walk begins that has the order of position `since`; null: it begins now. */
const startOf = (since: number | null) =>
  since === null
    ? null
    : {
        contract: `0x${'f'.repeat(40)}` as Address,
        hash: highestHash,
        received: String(2n ** 63n - 1n),
        since: String(since),
      }

/** Returns the records of all pages. */
async function walk(filter: WholeFilter, of: Combination): Promise<Shown[]> {
  const { limit, order, since, acquired, include, together } = of
  const form = { normalized: false, media: false }
  const found: Shown[] = []
  for (let after: WholePlace | null = startOf(since); ; ) {
    const page = await whole.tokens(filter, after, { limit, order, acquired, metadata: together ? form : null })
    expect(page.metadata !== null).toBe(together)
    const options = { ...form, hex: false, spam: include }
    const { records, used } = await nft.held(page.held, options, page.metadata)
    const shown = JSON.parse(records.toBuffer('[', ']').toString()) as Shown[]
    const times = page.held.flatMap((one) => one.acquired ?? [])
    expect(shown.length).toBeLessThanOrEqual(limit)
    expect(used).toBe(shown.length)
    found.push(...shown.map((record, i) => ({ ...record, ...(times[i] && { acquired: times[i] }) })))
    if (page.next === null) return found
    after = page.next
  }
}

/** Returns the wallet's contracts with its numbers of tokens and their amounts. */
async function walkContracts(
  filter: WholeFilter,
  { limit, order, since }: Combination,
): Promise<[Address, bigint, string | undefined][]> {
  const found: [Address, bigint, string | undefined][] = []
  for (let after: WholeContractPlace | null = startOf(since); ; ) {
    const page = await whole.collections(filter, after, { limit, order })
    expect(page.collections.length).toBeLessThanOrEqual(limit)
    found.push(
      ...page.collections.map(({ address, tokens, totalAmount }): (typeof found)[number] => [
        address,
        tokens,
        totalAmount,
      ]),
    )
    if (page.next === null) return found
    after = page.next
  }
}

test('behavior: with every combination of options, wallet pages return each token that its transfers imply once, in order', async () => {
  const random = createRandom(freshSeed())
  process.stdout.write(`seed ${random.seed}\n`)
  for (let round = 0; round < inject('rounds'); round++) {
    const contracts = await createHistory(random)
    for (const combination of combinations) {
      // Pages that omit nothing check exactly as many rows as they return. So the test always walks these combinations.
      if ((combination.spam !== 'all' || combination.only) && random.chance(0.6)) continue
      const of = {
        ...combination,
        limit: random.pick([1, 2, 7, 100]),
        since: combination.order === 'acquired' && random.chance(0.5) ? positionOf(random.int(21), 0) : null,
        include: random.chance(0.5),
        together: random.chance(0.5),
      }
      const only = of.only ? contracts.filter(() => random.chance(0.6)).map(({ address }) => address) : null
      const later = of.asOf === null ? null : random.pick([null, 'idle', 'pending'] as const)
      await setLater(database.db, of, later)
      const known = (await whole.state(chainId, wallet))!
      expect(known.shownAt).toEqual(later === null ? null : of.asOf)
      const filter: WholeFilter = {
        ...{ chainId, wallet, of: known, contracts: only, asOf: later === null ? of.asOf : null },
        ...{ excludeSpam: of.spam === 'none', onlySpam: of.spam === 'only' },
      }
      const held = expectedOf(contracts, only, of)
      const expected = held.filter(({ place }) => place !== undefined)
      const name = JSON.stringify(of, (_, value) => (typeof value === 'bigint' ? String(value) : value))
      const records = expected.map(({ place: _, ...record }) => record)
      expect(await walk(filter, of), name).toEqual(records)
      const byContract = [...Map.groupBy(expected, ({ token_address }) => token_address)]
      const heldBy = Map.groupBy(held, ({ token_address }) => token_address)
      expect(await whole.count(filter), name).toEqual({ tokens: held.length, collections: heldBy.size })
      // A contract's place is the place of its first token. In the order of receipt, that is the last received one.
      if (only !== null) continue
      expect(await walkContracts(filter, of), name).toEqual(
        byContract.map(([address]) => [
          address,
          BigInt(heldBy.get(address)!.length),
          String(heldBy.get(address)!.reduce((sum, { amount }) => sum + Number(amount), 0)),
        ]),
      )
    }
  }
})
