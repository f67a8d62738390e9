import { createHash } from 'node:crypto'
import type { StateReader } from '../../chain/evm/contracts/stateReader.ts'
import type { Address, Hex } from '../../util/hex.ts'
import type { HolderOfFile } from '../files/readHolderFile.ts'
import type { WrittenSnapshot } from '../files/snapshotFacts.ts'
import { createLeafHash, createLeaves } from '../merkle/leaves.ts'
import { merkleRoot } from '../merkle/merkleTree.ts'
import type { Standards } from '../transfers/decodeTransfers.ts'
import { BlockMovedError, NotComparableError } from './createPanel.ts'
import type { NamedHolder } from './namedHolders.ts'

/**
 * Differences from a node: the amount, or the owner of an ERC-721 token, in the file, null if the file lacks the row, and on the chain, null if it has none.
 */
export type SnapshotMismatch = { tokenId: string; owner: string; file: string | null; chain: string | null }

export type SnapshotVerification = Omit<WrittenSnapshot, 'root'> & {
  /** The root of the rows as they are in the file. */
  root: Hex | null
  /** The root that was written beside the file. */
  writtenRoot: Hex | null
  /** The first row that is not above the one before it in the order of token ids, then owners; null: all are. */
  unsorted: number | null
  /** Rows that were compared with the chain. */
  compared: number
  /** Who is named by logs of the contract and has no row, and was checked; null: nobody looked for such ones. */
  named: number | null
  nodes: string[]
  mismatchCount: number
  /** The first of them. */
  mismatches: SnapshotMismatch[]
  /** Where an ERC-721 contract counts its tokens itself and counts others than the file has. */
  supply: { chain: string; file: number } | null
}

type Holding = { tokenId: bigint; owner: Address }

/** Most mismatches that are listed. */
const mostListed = 100

export type VerifySnapshotOptions = {
  facts: WrittenSnapshot
  rows: AsyncIterable<HolderOfFile[]>
  /** The nodes to compare with, at the block of the snapshot. */
  readers: readonly StateReader[]
  /** Whether a row is compared with the chain; all are where it is omitted. */
  isSampled?: (row: number) => boolean
  /** All who may hold a token, by which those are found that the file lacks; omitted: nobody looks for them. */
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
  /** Those that have no row and were checked. */
  const asked = new Set<string>()
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

  /** An ERC-721 token has one row, for any holder. */
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
        // A row does not say of which standard its token is.
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

  /** Looks for holders that have no row. A contract may name somebody who holds nothing, so the chain decides. */
  async function compareNamed(holders: readonly NamedHolder[]): Promise<void> {
    const missing = new Map<string, NamedHolder>()
    for (const holder of holders) {
      const name = nameOf(holder)
      const once = `${name} ${holder.standard}`
      if (!inFile.has(name) && !asked.has(once)) missing.set(once, holder)
    }
    if (missing.size === 0) return
    for (const name of missing.keys()) asked.add(name)
    found.named! += missing.size
    const { ERC721: tokens = [], ERC1155: pieces = [] } = Object.groupBy(missing.values(), ({ standard }) => standard)
    for (const reader of readers) {
      const ids = tokens.map(({ tokenId }) => tokenId)
      const owners = ids.length > 0 ? await reader.owners(ids, signal) : []
      for (const [i, { tokenId, owner }] of tokens.entries())
        if (owners[i] != null && (facts.standard === 'ERC721' || owners[i] === owner))
          note({ tokenId, owner: owners[i] }, null, owners[i])
      const held = pieces.map(({ owner, tokenId }) => ({ holder: owner, tokenId }))
      const balances = held.length > 0 ? await reader.balances(held, signal) : []
      for (const [i, holder] of pieces.entries()) if (balances[i]) note(holder, null, String(balances[i]))
    }
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
  if (named && facts.standard) for await (const batch of named(facts.standard)) await compareNamed(batch)
  const supply = facts.standard === 'ERC721' ? await readers[0]!.supply(signal) : null
  await anchor()
  return {
    ...facts,
    ...found,
    holders,
    root: merkleRoot(leaves.take()) ?? null,
    writtenRoot: facts.root,
    nodes: readers.map(({ node }) => node),
    supply: supply === null || supply === BigInt(holders) ? null : { chain: String(supply), file: holders },
  }
}

function isBelow(a: HolderOfFile, b: HolderOfFile): boolean {
  return a.tokenId < b.tokenId || (a.tokenId === b.tokenId && a.owner < b.owner)
}

/** Whether a row is among `size` of `rows` that are drawn by a seed: the same seed draws the same rows again. */
export function sampleRows(rows: number, size: number, seed: string): (row: number) => boolean {
  if (size >= rows) return () => true
  const drawn = new Set<number>()
  for (let i = 0; drawn.size < size; i++)
    drawn.add(createHash('sha256').update(`${seed} ${i}`).digest().readUIntBE(0, 6) % rows)
  return (row) => drawn.has(row)
}
