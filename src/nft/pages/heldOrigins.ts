import { defineLists, list } from '../../db/defineLists.ts'
import type { ByteReader } from '../../db/pipeline/byteRows.ts'
import { bufferToHex, type Hex } from '../../util/hex.ts'
import type { HeldTokens } from '../query.ts'
import { positionsIn } from './tokenLines.ts'

/** A log of a transfer that is looked up by its place. */
type PlacedLog = { partition: number; collectionId: bigint; position: bigint }

/** What a log tells of the origin of its tokens. All of its transfers go from one address to another. */
export type OriginLog = PlacedLog & {
  blockHash: Hex
  transactionHash: Hex
  /** In seconds since 1970; null: not known yet. */
  time: bigint | null
  /** Sender and recipient are the same. */
  toItself: boolean
}

/** A token of a page, with the logs of its mint and of its last transfer; undefined: its row does not say which these are. */
export type PlacedToken = { held: HeldTokens; hash: string; places: ReturnType<typeof positionsIn>[number] | undefined }

/** The tokens of a page, in their order. */
export function placedTokens(held: readonly HeldTokens[]): PlacedToken[] {
  return held.flatMap((one) => {
    const places = one.bytes ? positionsIn(one.bytes) : []
    return one.hashes.map((hash, i) => ({ held: one, hash, places: places[i] }))
  })
}

export const nameOfLog = ({ collectionId, position }: Omit<PlacedLog, 'partition'>) => `${collectionId} ${position}`

const logLists = defineLists<PlacedLog>({
  place: list.int4((_, place) => place),
  partition: list.int2(({ partition }) => partition),
  collection_id: list.int8(({ collectionId }) => collectionId),
  position: list.int8(({ position }) => position),
})

/** One row of bytes, as a row for each log takes this process three times as long: `readLogs` has the parts. */
const selectLogs = `
SELECT string_agg(int4send(a.place) || boolsend(x.from_address = x.to_address) || int8send(coalesce(x.block_time, -1)) || x.block_hash || x.transaction_hash, '')
FROM ${logLists.unnest(1, 'a')} CROSS JOIN LATERAL (
  SELECT x.from_address, x.to_address, x.block_time, x.block_hash, x.transaction_hash FROM transfer x
  WHERE x.partition = a.partition AND x.collection_id = a.collection_id AND x.position = a.position AND x.partition = ANY($2::int2[]) LIMIT 1
) x`

const bytesOfLog = 4 + 1 + 8 + 32 + 32

/** Reads the logs of mints and of last transfers, each by its key. */
export async function readOriginLogs(
  sql: ByteReader,
  tokens: readonly PlacedToken[],
): Promise<ReadonlyMap<string, OriginLog>> {
  const asked = new Map<string, PlacedLog>()
  for (const { held, places } of tokens) {
    const { partition, id: collectionId } = held.state
    for (const position of [places?.mint, places?.last]) {
      if (position == null) continue
      const log = { partition, collectionId, position }
      asked.set(nameOfLog(log), log)
    }
  }
  if (asked.size === 0) return new Map()
  const logs = [...asked.values()]
  const [row] = await sql.bytes(selectLogs, logLists.lists(logs))
  const bytes = row?.[0]
  const found = new Map<string, OriginLog>()
  for (let at = 0; bytes && at < bytes.length; at += bytesOfLog) {
    const log = logs[bytes.readInt32BE(at)]!
    const time = bytes.readBigInt64BE(at + 5)
    found.set(nameOfLog(log), {
      ...log,
      toItself: bytes[at + 4] === 1,
      time: time < 0n ? null : time,
      blockHash: bufferToHex(bytes.subarray(at + 13, at + 45)),
      transactionHash: bufferToHex(bytes.subarray(at + 45, at + 77)),
    })
  }
  if (row) sql.giveBack(row)
  return found
}
