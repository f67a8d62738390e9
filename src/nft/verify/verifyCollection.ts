import { setTimeout as delay } from 'node:timers/promises'
import type { StateReader } from '../../chain/evm/contracts/stateReader.ts'
import { openSnapshots } from '../../db/cluster/openSnapshots.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { partitionOf } from '../../sync/partition.ts'
import { NotFoundError } from '../../util/errors.ts'
import { type Address, hexToBuffer } from '../../util/hex.ts'
import { decodeState, selectState } from '../pages/collections/state.ts'
import { checkBalances } from './checkBalances.ts'
import { checkCounters } from './checkCounters.ts'
import { checkOwners } from './checkOwners.ts'
import { checkSupply } from './checkSupply.ts'
import { checkUris } from './checkUris.ts'
import { countWalletFaults } from './countWalletFaults.ts'
import { createFindings } from './createFindings.ts'
import { BlockMovedError, createPanel, NotComparableError } from './createPanel.ts'
import { findMissingHolders, findMissingTokens } from './findMissing.ts'
import { openSubject, readGenesis } from './openSubject.ts'
import { readStoredTokens } from './readTokens.ts'
import type { Verification } from './verification.ts'

export type VerifyOptions = {
  db: Database
  chainId: bigint
  address: Address
  /** Readers of the chain's state at a block, one per node. */
  connect: (block: bigint) => readonly StateReader[]
  /** The block to compare at; omitted: the last one that the collection covers. */
  at?: bigint | undefined
  /** Compares only so many listed tokens. */
  sample?: { size: number; seed: string } | undefined
  onProgress: (done: number, total: number) => void
  signal: AbortSignal
}

/** Pauses before retries after the block moved: the server follows a reorg within seconds. */
const retryMs = [1_000, 3_000, 6_000]

/**
 * Compares the stored data of a collection with the chain's nodes at one block. The database is read in one snapshot, which stays open until the end.
 * If a reorg removes the block, the comparison restarts, at most three times. Throws NotFoundError for a contract that is not indexed,
 * BadRequestError for a block that is not covered, StateUnavailableError if no node has the block's state.
 */
export async function verifyCollection(options: VerifyOptions): Promise<Verification> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await options.db.transaction(async (tx) => {
        await tx.script('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
        await openSnapshots(options.db, (statement) => tx.fresh.rows(statement))
        return compare(tx, options)
      })
    } catch (error) {
      if (!(error instanceof BlockMovedError)) throw error
      const pause = retryMs[attempt]
      if (pause === undefined)
        throw new NotComparableError(
          'the stored data is of another block than the node has: let a server follow the chain ("mintmark status" shows how far it is) and verify again',
          { cause: error },
        )
      await delay(pause, undefined, { signal: options.signal })
    }
  }
}

/** Compares in one snapshot of the database. */
async function compare(tx: Transaction, options: VerifyOptions): Promise<Verification> {
  const { chainId, address, connect, at, sample, onProgress, signal } = options
  const [row] = await tx.fresh.rows(selectState, [partitionOf(chainId, address), chainId, hexToBuffer(address)])
  if (!row) throw new NotFoundError(`${address} is not indexed: start its indexing with "mintmark index"`)
  const subject = await openSubject(tx, { state: decodeState(row), address, chainId, at, sample })
  const panel = await createPanel({
    readers: connect(subject.block),
    block: subject.block,
    storedHash: subject.storedHash,
    genesisHash: await readGenesis(tx, chainId),
    signal,
  })
  const findings = createFindings()
  const parts = { panel, findings, subject, sql: tx.fresh }
  let existing = 0
  let wrong: bigint[] = []
  let done = 0
  onProgress(0, subject.tokens)
  for await (const tokens of readStoredTokens(tx.fresh, subject)) {
    const of = Map.groupBy(tokens, ({ standard }) => standard)
    existing += await checkOwners(parts, of.get('ERC721') ?? [])
    wrong = wrong.concat(await checkBalances(parts, of.get('ERC1155') ?? [])).slice(0, mostWrong)
    await checkUris(parts, tokens)
    await panel.anchor()
    done += tokens.length
    onProgress(done, subject.tokens)
  }
  // Tables rebuilt from transfers contain every token of these transfers.
  const looksForMissing = subject.sample === undefined && subject.source === 'stored'
  if (looksForMissing && subject.standards !== 'ERC1155') existing += await findMissingTokens(parts)
  if (looksForMissing && subject.standards !== 'ERC721') await findMissingHolders(parts, wrong)
  // For a contract of both standards, the meaning of totalSupply() is unknown.
  if (subject.standards === 'ERC721') await checkSupply(parts, subject.sample ? undefined : existing)
  const blockHash = await panel.anchor()
  const { compare: _, ...found } = findings
  return {
    ...found,
    standard: subject.standard,
    block: subject.block,
    blockHash,
    source: subject.source,
    sample: sample ?? null,
    nodes: panel.nodes,
    counters: subject.sample ? [] : await checkCounters(tx.fresh, subject),
    walletFaults: subject.sample ? null : await countWalletFaults(tx.fresh, { ...subject, chainId }),
  }
}

/** Most ids whose holders are searched, in one statement. */
const mostWrong = 10_000
