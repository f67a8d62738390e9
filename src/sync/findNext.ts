import type { EvmChain } from '../chain/evm/chains.ts'
import type { Header } from '../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../chain/evm/source/source.ts'
import type { Database } from '../db/database.ts'
import { commandWord } from '../util/commandWord.ts'
import { MintmarkError } from '../util/errors.ts'
import { smaller } from '../util/extremes.ts'
import type { BlockName } from './blockHandler.ts'
import { blockHashes } from './chainStore.ts'

/** The last common block of the node's chain and the stored one, and the node's next blocks, at most `most`. */
export async function findNext(
  at: { block: BlockName; finalized: bigint; head: Header; most: bigint },
  from: { db: Database; source: EvmSource; chain: EvmChain; signal: AbortSignal },
): Promise<'lagging' | { fork: BlockName; headers: Header[] }> {
  const { block: cursor, finalized, head, most } = at
  const { source, signal } = from
  const after = ({ number }: BlockName) => source.headers(number + 1n, smaller(number + most, head.number), signal)
  if (head.number > cursor.number) {
    const headers = await after(cursor)
    if (headers.length === 0) return 'lagging'
    if (headers[0]!.parentHash === cursor.hash) return { fork: cursor, headers }
  }
  const fork = await findFork({ ...from, cursor, finalized, head })
  if (fork === 'lagging') return fork
  if (fork.number === cursor.number) return 'lagging'
  const headers = head.number > fork.number ? await after(fork) : []
  if (headers[0] && headers[0].parentHash !== fork.hash) return 'lagging'
  return { fork, headers }
}

/** The node's chain differs from the stored one at a final block. Such a block cannot be undone, so nothing is changed. */
export class DeepReorgError extends MintmarkError {
  readonly code = 'DEEP_REORG'
}

/** Headers per read on the way down: most reorgs are a few blocks deep. */
const batch = 16n

/**
 * The last common block of the node's chain and the stored one. `lagging`: no block of the node differs from stored ones, so it is only behind.
 * Throws DeepReorgError if they differ at the finalized block.
 */
export async function findFork(options: {
  db: Database
  source: EvmSource
  chain: EvmChain
  cursor: BlockName
  /** Stored number of the finalized block. */
  finalized: bigint
  head: Header
  signal: AbortSignal
}): Promise<'lagging' | BlockName> {
  const { db, source, chain, cursor, finalized, head, signal } = options
  const ours = await blockHashes(db, chain.id, finalized)
  let top = head.number < cursor.number ? head.number : cursor.number
  if (top < finalized) {
    // The node's head is below the finalized block: it is only lagging, unless its head differs from the stored block of that number.
    const [header] = await source.headers(top, top, signal)
    const stored = (await blockHashes(db, chain.id, top)).get(top)
    if (!header || !stored || stored === header.hash) return 'lagging'
    throw deepReorg(chain, top, cursor)
  }
  let contradicted = false
  while (top >= finalized) {
    const from = top - batch + 1n > finalized ? top - batch + 1n : finalized
    const headers = await source.headers(from, top, signal)
    if (headers.length < Number(top - from) + 1) return 'lagging'
    for (const header of headers.reverse()) {
      if (ours.get(header.number) === header.hash)
        return contradicted || header.number === cursor.number
          ? { number: header.number, hash: header.hash }
          : 'lagging'
      contradicted = true
    }
    top = from - 1n
  }
  throw deepReorg(chain, finalized, cursor)
}

function deepReorg(chain: EvmChain, block: bigint, cursor: { number: bigint }): DeepReorgError {
  return new DeepReorgError(
    `the node's ${chain.name} differs from the followed chain at block ${block}, which was final: ` +
      'no data was changed. Check that every rpc address serves this chain; if the chain was recreated, or went back so far, run ' +
      `"mintmark chains reset ${commandWord(chain.name)}"`,
    { details: { chain: chain.name, finalized: String(block), block: String(cursor.number) } },
  )
}
