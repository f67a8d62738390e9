import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, rm, writeFile as writeText } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Database } from '../../db/database.ts'
import { BadRequestError, ConflictError, NotFoundError } from '../../util/errors.ts'
import type { Address, Hex } from '../../util/hex.ts'
import { readBlockAt } from '../asOf/readBlockAt.ts'
import { holderLines } from '../asOf/readHoldersAt.ts'
import type { FileFormat } from '../fileQuery.ts'
import type { CollectionState } from '../query.ts'
import { standardsOf } from '../transfers/decodeTransfers.ts'
import { factsPath, type WrittenSnapshot } from './snapshotFacts.ts'
import { writeFile } from './writeFile.ts'

export type WriteSnapshotOptions = {
  db: Database
  chain: { id: bigint; name: string }
  address: Address
  state: CollectionState
  block: bigint
  /** Neither it nor its facts file may exist. */
  path: string
  format: FileFormat
  /** Requests the block's hash from a node if the database does not have it. */
  requestHash: (block: bigint) => Promise<Hex>
  /** Called with the number of rows since the last call. */
  onRows: (rows: number) => void
  signal: AbortSignal
}

/** Permissions of usual files before the umask: data of a chain is not secret. */
const mode = 0o666

/**
 * Writes the holders of a collection at the end of a block to a file, and its facts to a file beside it. Throws
 * BadRequestError for a block that is not covered, ConflictError if a file exists, NotFoundError if the folder does
 * not.
 */
export async function writeSnapshot(options: WriteSnapshotOptions): Promise<WrittenSnapshot> {
  const { db, chain, address, state, block, path, format, requestHash, onRows, signal } = options
  if (!existsSync(dirname(path)))
    throw new NotFoundError(`there is no folder ${dirname(path)}: create it, or choose another file with --out`)
  for (const taken of [path, factsPath(path)])
    if (existsSync(taken)) throw new ConflictError(`${taken} already exists: choose another file with --out`)
  const temporary = `${path}.${randomUUID()}.tmp`
  const temporaryFacts = factsPath(temporary)
  try {
    const written = await db.transaction(async (tx) => {
      await tx.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const at = await readBlockAt(tx.fresh, state, block)
      if (!at?.covered) throw notCovered(block, at?.toBlock ?? null)
      const blockHash = at.hash ?? (await requestHash(block))
      await rm(temporary, { force: true })
      const standards = standardsOf(at)
      const batches = holderLines(tx, { ...state, standards }, { block, signal, onRows })
      const { rows, root } = await writeFile({ path: temporary, mode, kind: 'holders', format, batches, signal })
      return { standard: standards, blockHash, root, holders: rows }
    })
    const named = { chain: chain.name, chainId: String(chain.id), contract: address, block: String(block) }
    const facts: WrittenSnapshot = { ...named, ...written, format }
    // Before either file gets its name, as the disk may be full.
    await writeText(temporaryFacts, `${JSON.stringify(facts, null, 2)}\n`, { mode })
    await rename(temporary, path)
    await rename(temporaryFacts, factsPath(path))
    return facts
  } finally {
    for (const leftover of [temporary, temporaryFacts]) await rm(leftover, { force: true })
  }
}

function notCovered(block: bigint, last: bigint | null): BadRequestError {
  const allowed = last === null ? 'none yet, as the history is not read' : `a block from 0 to ${last}`
  return new BadRequestError(`block ${block} is not covered; allowed with --at: ${allowed}`)
}
