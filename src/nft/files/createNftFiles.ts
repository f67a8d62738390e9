import { dirname } from 'node:path'
import { cancelWith } from '../../db/cancelWith.ts'
import type { Database, Sql } from '../../db/database.ts'
import { MintmarkError } from '../../util/errors.ts'
import { readDiskReserve } from '../../util/files/diskReserve.ts'
import type { Hex } from '../../util/hex.ts'
import { readBlockAt } from '../asOf/readBlockAt.ts'
import { holderLines } from '../asOf/readHoldersAt.ts'
import { type ExportFacts, fileLayout, type MadeFile, type NftFiles, type SnapshotFacts } from '../fileQuery.ts'
import type { CollectionState, NftQuery } from '../query.ts'
import type { TransferQuery } from '../transferQuery.ts'
import { standardsOf } from '../transfers/decodeTransfers.ts'
import type { MadeFiles } from './createMadeFiles.ts'
import { createProvers } from './createProvers.ts'
import { emptyFile, factsBytes } from './madeFile.ts'
import { tokenBatches } from './tokenBatches.ts'
import { createTokenText } from './tokenText.ts'
import { transferBatches } from './transferBatches.ts'
import { createTransferText } from './transferText.ts'
import { writeFile } from './writeFile.ts'

/** The chain now has another block of that number. */
class BlockReplacedError extends MintmarkError {
  readonly code = 'BLOCK_MOVED'
}

export type NftFilesOptions = {
  /** For short statements. */
  db: Database
  /**
   * For reading whole collections without a timeout. Its sorts would take a core from urgent work if they were not
   * niced.
   */
  background: Database
  /** For reading the pages of exports. */
  query: NftQuery
  transfers: TransferQuery
  files: MadeFiles
  /** Size limit of a file in bytes. */
  maxBytes: number
  /** Stops proofs. */
  signal: AbortSignal
}

/** Snapshots and exports as jobs. `close` ends the threads of proofs, after the signal. */
export function createNftFiles(options: NftFilesOptions): NftFiles & { close(): Promise<void> } {
  const { db, background, query, transfers, files, maxBytes, signal } = options

  /** A file of a collection's pages; empty if nothing is known of it yet. */
  async function exported(
    { chainId, address, state, format, keyId }: Parameters<NftFiles['tokens']>[0],
    kind: 'tokens' | 'transfers',
    batchesOf: (state: CollectionState, signal: AbortSignal) => AsyncIterable<string>,
  ): Promise<MadeFile<ExportFacts>> {
    const text = { tokens: createTokenText, transfers: createTransferText }[kind]
    if (!state) return emptyFile(text(format), { rows: 0, version: '0', endVersion: '0' })
    const name = `${state.epoch}-${state.id}-${state.version}.${kind}-${fileLayout}.${format}`
    const make = async (path: string, signal: AbortSignal): Promise<ExportFacts> => {
      const { bytes: leastFree } = await readDiskReserve(dirname(path))
      const common = { path, reserve: factsBytes, maxBytes, leastFree, signal }
      const { rows } = await writeFile({ ...common, kind, format, batches: batchesOf(state, signal) })
      const after = await query.state(chainId, address)
      return { rows, version: String(state.version), endVersion: String(after?.version ?? 0n) }
    }
    return files.get<ExportFacts>({ name, keyId, make })
  }

  /** Whether the chain still has this block: the database has the hash of each block that can be undone. */
  async function isCurrent(state: CollectionState, block: { number: bigint; hash: Hex }): Promise<boolean> {
    const at = await readBlockAt(db, state, block.number)
    return at?.covered === true && (at.hash ?? block.hash) === block.hash
  }

  const provers = createProvers({ signal })

  const snapshots: Pick<NftFiles, 'snapshot'> = {
    async snapshot({ chainId, address, state, block, format, keyId }) {
      const name = `${chainId}-${address}-${state.id}-${block.hash}.holders-${fileLayout}.${format}`
      const make = (path: string, signal: AbortSignal): Promise<SnapshotFacts> =>
        background.transaction(async (tx) => {
          await tx.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
          const at = await readBlockAt(tx.fresh, state, block.number)
          if (at?.covered !== true || (at.hash ?? block.hash) !== block.hash)
            throw new BlockReplacedError(`block ${block.number} is not ${block.hash} any more`)
          const collection = { ...state, standards: standardsOf(at) }
          const batches = holderLines(tx, collection, { block: block.number, signal })
          const { bytes: leastFree } = await readDiskReserve(dirname(path))
          const bounds = { reserve: factsBytes, maxBytes, leastFree }
          const options = { path, ...bounds, signal, kind: 'holders', format, batches } as const
          const { rows, root } = await cancelWith({ db, tx, signal }, () => writeFile(options))
          return { standard: collection.standards, holders: rows, root }
        })
      try {
        const file = await files.get<SnapshotFacts>({ name, keyId, make })
        const isSent = await isCurrent(state, block).catch((error: unknown) => {
          file.discard()
          throw error
        })
        if (isSent) return file
        file.discard()
      } catch (error) {
        if (!(error instanceof BlockReplacedError)) throw error
      }
      return undefined
    },
  }

  return {
    finalBlock: (chainId, state) => finalBlock(db, chainId, state),
    ...snapshots,

    async prove({ holder, tokenId, ...requested }) {
      const file = await snapshots.snapshot({ ...requested, format: 'csv' })
      if (!file) return undefined
      return { proof: await provers.prove(file, { owner: holder, tokenId }) }
    },

    tokens: (requested) =>
      exported(requested, 'tokens', (state, signal) =>
        tokenBatches(query, { state, address: requested.address, signal }),
      ),

    transfers({ chainId, address, ...requested }) {
      return exported({ chainId, address, ...requested }, 'transfers', (state, signal) =>
        transferBatches(transfers, { state, address, chainId, signal }),
      )
    },

    close: provers.close,
  }
}

/** The last final covered block of a collection, whose snapshot never changes. null: none. */
export async function finalBlock(sql: Sql, chainId: bigint, { toBlock }: CollectionState): Promise<bigint | null> {
  const [row] = await sql.rows<[bigint]>('SELECT finalized_number FROM chain WHERE id = $1', [chainId])
  if (toBlock === null || !row) return null
  return toBlock < row[0] ? toBlock : row[0]
}
