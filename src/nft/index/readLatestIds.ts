import type { RpcLog } from '../../chain/evm/rpc/rpc.ts'
import type { EvmSource } from '../../chain/evm/source/source.ts'
import { readTokenEvent, tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import type { Address } from '../../util/hex.ts'
import { zeroAddress } from '../transfers/transfer.ts'
import type { LatestIds } from '../transfers/transferForm.ts'

/** Blocks of the first read; each further read doubles them. */
const firstRead = 100n

/** Most returned ids. */
const mostIds = 100

/** Most remembered ids without an owner, about 100 bytes each. A contract with more burned ids stays undecided. */
const mostMissing = 200_000

/**
 * Up to 100 ids of the latest Transfers of a contract, if they are token ids. Each was moved in a final block and not
 * burned up to `block`, the head, so it has an owner there. Reads backwards from the head. Empty: none since `from`.
 * Undefined: the chain moved meanwhile.
 */
export async function readLatestIds(
  source: EvmSource,
  { address, from }: { address: Address; from: bigint },
  signal: AbortSignal,
): Promise<LatestIds | undefined> {
  const { head, finalized } = await source.head(signal)
  /** Ids whose last Transfer is a burn, or is not final. */
  const burned = new Set<string>()
  for (let to = head.number, width = firstRead; to >= from && burned.size <= mostMissing; width *= 2n) {
    const begin = to - width + 1n > from ? to - width + 1n : from
    /** Whether each id has an owner, by its last Transfer in these blocks. */
    const owned = new Map<string, boolean>()
    for (let next = begin; next <= to; ) {
      const read = await source.logs({ address, topics: [[tokenTopic.transfer]], from: next, to }, signal)
      if (read.to === head.number && read.toHash !== head.hash) return undefined
      for (const log of read.logs) noteOwned(owned, log, finalized)
      next = read.to + 1n
    }
    const ids = [...owned].filter(([id, isOwned]) => isOwned && !burned.has(id)).map(([id]) => BigInt(`0x${id}`))
    if (ids.length > 0) return { ids: ids.slice(-mostIds), block: head }
    for (const id of owned.keys()) burned.add(id)
    to = begin - 1n
  }
  return { ids: [], block: head }
}

function noteOwned(owned: Map<string, boolean>, log: RpcLog, finalized: bigint): void {
  const event = readTokenEvent(log)
  if (event?.kind !== 'transfer') return
  owned.set(event.value, event.to !== zeroAddress && BigInt(log.blockNumber) <= finalized)
}
