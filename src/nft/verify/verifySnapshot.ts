import { createHash } from 'node:crypto'
import type { StateReader } from '../../chain/evm/contracts/stateReader.ts'
import { chunksOf } from '../../util/chunksOf.ts'
import type { Address, Hex } from '../../util/hex.ts'
import type { HolderOfFile } from '../files/readHolderFile.ts'
import type { WrittenSnapshot } from '../files/snapshotFacts.ts'
import { createLeafHash, createLeaves } from '../merkle/leaves.ts'
import { merkleRoot } from '../merkle/merkleTree.ts'
import type { Standards } from '../transfers/decodeTransfers.ts'
import { BlockMovedError, NotComparableError } from './createPanel.ts'
import type { NamedHolder } from './namedHolders.ts'

/** A difference from a node: the amount, or the owner of an ERC-721 token, in the file (null: no row) and on the chain (null: none). */
export type SnapshotMismatch = { tokenId: string; owner: string; file: string | null; chain: string | null }

export type SnapshotVerification = Omit<WrittenSnapshot, 'root'> & {
  /** Merkle root of the file's rows. */
  root: Hex | null
  /** Merkle root in the facts beside the file. */
  writtenRoot: Hex | null
  /** Number of holders in the facts beside the file. */
  writtenHolders: number
  /** The first row out of order (by token id, then owner); null: none. */
  unsorted: number | null
  /** Rows that were compared with the chain. */
  compared: number
  /** Number of checked recipients in the contract's logs without a row; null: not checked. */
  named: number | null
  nodes: string[]
  mismatchCount: number
  /** The first mismatches. */
  mismatches: SnapshotMismatch[]
  /** The token counts of an ERC-721 contract and of the file, if they differ. */
  supply: { chain: string; file: number } | null
}

type Holding = { tokenId: bigint; owner: Address }

/** Recipients compared at once, enough for a few multicalls. */
const namedTogether = 1_000
/** Most mismatches that are listed. */
const mostListed = 100

export type VerifySnapshotOptions = {
  facts: WrittenSnapshot
  rows: AsyncIterable<HolderOfFile[]>
  /** The nodes to compare with, at the block of the snapshot. */
  readers: readonly StateReader[]
  /** Whether a row is compared with the chain; default: all rows. */
  isSampled?: (row: number) => boolean
  /** All possible holders, to find those that the file lacks; omitted: not checked. */
  named?: ((standards: Standards) => AsyncIterable<NamedHolder[]>) | undefined
  onProgress: (rows: number) => void
  signal: AbortSignal
}

/**
 * Compares the file of a snapshot with the chain: the hash of its block, each holder by ownerOf or balanceOf at that block, holders without a row,
 * the number of tokens if the contract counts them, and the root of the rows. Throws BlockMovedError if the chain has another block, and
 * NotComparableError where the contract has no code there.
 */
export async function verifySnapshot(options: VerifySnapshotOptions): Promise<SnapshotVerification> {
  const { facts, rows, readers, isSampled = () => true, named, onProgress, signal } = options
  const leafHash = createLeafHash()
  const leaves = createLeaves()
  const inFile = new Set<string>()
  /** Checked recipients without a row. */
  const requested = new Set<string>()
  const found = {
    compared: 0,
    named: named ? 0 : null,
    mismatchCount: 0,
    mismatches: [] as SnapshotMismatch[],
    unsorted: null as number | null,
  }
  let last: HolderOfFile | undefined

  async function anchor(): Promise<void> {
    for (const reader of readers) {
      const { hash, hasCode } = await reader.anchor(signal)
      if (hash !== facts.blockHash)
        throw new BlockMovedError(`block ${facts.block} is ${hash} at ${reader.node}, not ${facts.blockHash}`)
      if (!hasCode && facts.holders > 0)
        throw new NotComparableError(`${reader.node} has no contract at ${facts.contract} at block ${facts.block}`)
    }
  }

  /** An ERC-721 token has a single row, whoever holds it. */
  const nameOf = ({ tokenId, owner }: Holding) => (facts.standard === 'ERC721' ? `${tokenId}` : `${tokenId} ${owner}`)

  function note({ tokenId, owner }: Holding, file: string | null, chain: string | null): void {
    if (file === chain) return
    found.mismatchCount++
    if (found.mismatches.length < mostListed) found.mismatches.push({ tokenId: String(tokenId), owner, file, chain })
  }

  async function compare(holders: readonly HolderOfFile[]): Promise<void> {
    for (const reader of readers)
      if (facts.standard === 'ERC721') {
        const ids = holders.map(({ tokenId }) => tokenId)
        const owners = await reader.owners(ids, signal)
        for (const [i, holder] of holders.entries()) {
          note(holder, holder.owner, owners[i]!)
          if (holder.amount !== 1n) note(holder, String(holder.amount), '1')
        }
      } else {
        const balances = await reader.balances(
          holders.map(({ owner, tokenId }) => ({ holder: owner, tokenId })),
          signal,
        )
        // A row does not have its token's standard.
        const ids = facts.standard === 'both' ? holders.map(({ tokenId }) => tokenId) : []
        const owners = ids.length > 0 ? await reader.owners(ids, signal) : []
        for (const [i, holder] of holders.entries()) {
          if (holder.amount === 1n && owners[i] === holder.owner) continue
          const balance = balances[i] ?? null
          note(holder, String(holder.amount), balance === null ? null : String(balance))
        }
      }
    found.compared += holders.length
  }

  /** Searches holders without a row. A recipient may hold nothing, so the chain decides. */
  async function compareNamed(holders: readonly NamedHolder[]): Promise<void> {
    const missing = new Map<string, NamedHolder>()
    for (const holder of holders) {
      const name = nameOf(holder)
      const once = `${name} ${holder.standard}`
      if (!inFile.has(name) && !requested.has(once)) missing.set(once, holder)
    }
    if (missing.size === 0) return
    for (const name of missing.keys()) requested.add(name)
    found.named! += missing.size
    const { ERC721: tokens = [], ERC1155: erc1155 = [] } = Object.groupBy(missing.values(), ({ standard }) => standard)
    for (const reader of readers) {
      const ids = tokens.map(({ tokenId }) => tokenId)
      const owners = ids.length > 0 ? await reader.owners(ids, signal) : []
      for (const [i, { tokenId, owner }] of tokens.entries())
        if (owners[i] != null && (facts.standard === 'ERC721' || owners[i] === owner))
          note({ tokenId, owner: owners[i] }, null, owners[i])
      const held = erc1155.map(({ owner, tokenId }) => ({ holder: owner, tokenId }))
      const balances = held.length > 0 ? await reader.balances(held, signal) : []
      for (const [i, holder] of erc1155.entries()) if (balances[i]) note(holder, null, String(balances[i]))
    }
  }

  /** Of a token with events of both standards, only ERC-1155 events determine the owners. So all logs are read before ERC-721 is searched. */
  async function compareMixed(batches: AsyncIterable<NamedHolder[]>): Promise<void> {
    const erc1155 = new Set<bigint>()
    const erc721 = new Map<string, NamedHolder>()
    for await (const batch of batches) {
      for (const holder of batch)
        if (holder.standard === 'ERC1155') erc1155.add(holder.tokenId)
        else if (!inFile.has(nameOf(holder))) erc721.set(nameOf(holder), holder)
      await compareNamed(batch.filter(({ standard }) => standard === 'ERC1155'))
    }
    const tokens = [...erc721.values()].filter(({ tokenId }) => !erc1155.has(tokenId))
    for (const some of chunksOf(tokens, namedTogether)) await compareNamed(some)
  }

  await anchor()
  let holders = 0
  for await (const batch of rows) {
    const sampled: HolderOfFile[] = []
    for (const holder of batch) {
      if (isSampled(holders++)) sampled.push(holder)
      if (last && !isBelow(last, holder)) found.unsorted ??= holders
      last = holder
      if (named) inFile.add(nameOf(holder))
      leaves.add(leafHash(holder.owner, String(holder.tokenId), String(holder.amount)))
    }
    if (sampled.length > 0) await compare(sampled)
    onProgress(holders)
  }
  // A contract of no standard has no holders.
  if (named && facts.standard === 'both') await compareMixed(named('both'))
  else if (named && facts.standard) for await (const batch of named(facts.standard)) await compareNamed(batch)
  const supply = facts.standard === 'ERC721' ? await readers[0]!.supply(signal) : null
  await anchor()
  return {
    ...facts,
    ...found,
    holders,
    root: merkleRoot(leaves.take()) ?? null,
    writtenRoot: facts.root,
    writtenHolders: facts.holders,
    nodes: readers.map(({ node }) => node),
    supply: supply === null || supply === BigInt(holders) ? null : { chain: String(supply), file: holders },
  }
}

function isBelow(a: HolderOfFile, b: HolderOfFile): boolean {
  return a.tokenId < b.tokenId || (a.tokenId === b.tokenId && a.owner < b.owner)
}

/** Whether a row is in a sample of `size` of `rows`, reproducible by its seed. */
export function sampleRows(rows: number, size: number, seed: string): (row: number) => boolean {
  if (size >= rows) return () => true
  const drawn = new Set<number>()
  for (let i = 0; drawn.size < size; i++)
    drawn.add(createHash('sha256').update(`${seed} ${i}`).digest().readUIntBE(0, 6) % rows)
  return (row) => drawn.has(row)
}
