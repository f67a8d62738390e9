import { createHash } from 'node:crypto'
import type { StateReader } from '../../chain/evm/contracts/stateReader.ts'
import type { Hex } from '../../util/hex.ts'
import type { HolderOfFile } from '../files/readHolderFile.ts'
import type { WrittenSnapshot } from '../files/snapshotFacts.ts'
import { createLeafHash, createLeaves } from '../merkle/leaves.ts'
import { merkleRoot } from '../merkle/merkleTree.ts'
import { BlockMovedError, NotComparableError } from './createPanel.ts'

/** A row that a node contradicts; `chain`: the amount, or the owner of an ERC-721 token, null where it has none. */
export type SnapshotMismatch = { tokenId: string; owner: string; file: string; chain: string | null }

export type SnapshotVerification = Omit<WrittenSnapshot, 'root'> & {
  /** The root of the rows as they are in the file. */
  root: Hex | null
  /** The root that was written beside the file. */
  writtenRoot: Hex | null
  /** The first row that is not above the one before it in the order of token ids, then owners; null: all are. */
  unsorted: number | null
  /** Rows that were compared with the chain. */
  compared: number
  nodes: string[]
  mismatchCount: number
  /** The first of them. */
  mismatches: SnapshotMismatch[]
  /** Where an ERC-721 contract counts its tokens itself and counts others than the file has. */
  supply: { chain: string; file: number } | null
}

/** Most mismatches that are listed. */
const mostListed = 100

export type VerifySnapshotOptions = {
  facts: WrittenSnapshot
  rows: AsyncIterable<HolderOfFile[]>
  /** The nodes to compare with, at the block of the snapshot. */
  readers: readonly StateReader[]
  /** Whether a row is compared with the chain; all are where it is left out. */
  isSampled?: (row: number) => boolean
  onProgress: (rows: number) => void
  signal: AbortSignal
}

/**
 * Holds the file of a snapshot against the chain: the hash of its block, each holder by ownerOf or balanceOf at that block, the number of tokens
 * where the contract counts them, and the root of the rows. Throws BlockMovedError where the chain has another block, and NotComparableError
 * where the contract has no code there.
 */
export async function verifySnapshot(options: VerifySnapshotOptions): Promise<SnapshotVerification> {
  const { facts, rows, readers, isSampled = () => true, onProgress, signal } = options
  const leafHash = createLeafHash()
  const leaves = createLeaves()
  const found = { compared: 0, mismatchCount: 0, mismatches: [] as SnapshotMismatch[], unsorted: null as number | null }
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

  function note({ tokenId, owner }: HolderOfFile, file: string, chain: string | null): void {
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
        for (const [i, holder] of holders.entries()) {
          const balance = balances[i] ?? null
          note(holder, String(holder.amount), balance === null ? null : String(balance))
        }
      }
    found.compared += holders.length
  }

  await anchor()
  let holders = 0
  for await (const batch of rows) {
    const sampled: HolderOfFile[] = []
    for (const holder of batch) {
      if (isSampled(holders++)) sampled.push(holder)
      if (last && !isBelow(last, holder)) found.unsorted ??= holders
      last = holder
      leaves.add(leafHash(holder.owner, String(holder.tokenId), String(holder.amount)))
    }
    if (sampled.length > 0) await compare(sampled)
    onProgress(holders)
  }
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
