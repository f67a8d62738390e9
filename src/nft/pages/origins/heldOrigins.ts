import { groupByShard } from '../../../db/cluster/citus.ts'
import type { Database } from '../../../db/database.ts'
import type { ByteReader } from '../../../db/pipeline/byteRows.ts'
import { createLru } from '../../../util/createLru.ts'
import { bufferToHex, type Hex } from '../../../util/hex.ts'
import type { HeldTokens, OriginBlock } from '../../query.ts'
import { blockOfPosition } from '../../transfers/position.ts'
import { positionsIn } from '../rows/tokenLines.ts'
import { isoOf } from './originRows.ts'

/** A transfer log by its position. */
type PlacedLog = { partition: number; collectionId: bigint; position: bigint }

/** A log that shows the origin of its tokens. All its transfers have the same sender and recipient. */
export type OriginLog = PlacedLog & {
  blockHash: Hex
  transactionHash: Hex
  /** In seconds since 1970; null: not known yet. */
  time: bigint | null
  /** Its block for answers; null: the time is not known yet. */
  shown: OriginBlock | null
  /** Sender and recipient are the same. */
  toItself: boolean
}

type TokenPlaces = ReturnType<typeof positionsIn>[number]

/**
 * A token of a page, with the logs of its mint and of its last transfer; undefined: its row does not point to them. `last` null: the acquisition was
 * not requested.
 */
export type PlacedToken = {
  held: HeldTokens
  hash: string
  places: (Omit<TokenPlaces, 'last'> & { last: bigint | null }) | undefined
}

/** The tokens of a page, in order. */
export function placedTokens(held: readonly HeldTokens[]): PlacedToken[] {
  return held.flatMap((one) => {
    const places = positionsIn(one.bytes)
    return one.hashes.map((hash, i) => ({ held: one, hash, places: places[i] }))
  })
}

/**
 * One row of bytes, as a row per log takes this process three times as long; `logsIn` parses it. The lists are texts. The order makes PostgreSQL take
 * the key: otherwise it may take the index of a token's transfers, and read all of it for each log.
 */
const selectLogs = `
SELECT string_agg(int4send(a.place::int4) || boolsend(x.from_address = x.to_address) || int8send(coalesce(x.block_time, -1)) || x.block_hash || x.transaction_hash, '')
FROM unnest($1::int2[], $2::int8[], $3::int8[]) WITH ORDINALITY AS a (partition, collection_id, position, place) CROSS JOIN LATERAL (
  SELECT x.from_address, x.to_address, x.block_time, x.block_hash, x.transaction_hash FROM transfer x
  WHERE x.partition = a.partition AND x.partition = ANY($1::int2[])
    AND x.collection_id = a.collection_id AND x.position = a.position ORDER BY x.position, x.item LIMIT 1
) x`

const bytesOfLog = 4 + 1 + 8 + 32 + 32

/** The logs of a token's mint and of its last transfer; undefined: none, or not requested. */
export type LogsOfToken = { mint: OriginLog | undefined; last: OriginLog | undefined }

/** Reads logs of mints and of last transfers, in token order. */
export type OriginLogs = {
  read(chainId: bigint, tokens: readonly PlacedToken[]): Promise<LogsOfToken[]>
}

/** Cached logs of final blocks, 0.5 kB each: they never change. */
const mostKept = 50_000

/** `sql`: reads of `db`. `finalBlock`: the last final block of a chain; null: unknown. */
export function createOriginLogs(options: {
  db: Database
  sql: ByteReader
  finalBlock: (chainId: bigint) => Promise<bigint | null>
}): OriginLogs {
  const { db, sql, finalBlock } = options
  const kept = createLru<string, OriginLog>(mostKept)
  return {
    async read(chainId, tokens) {
      const missing = new Map<string, PlacedLog>()
      const read = new Map<string, OriginLog>()
      function logOf({ held: { state } }: PlacedToken, position: bigint | null | undefined): OriginLog | undefined {
        if (position == null) return undefined
        const name = `${state.id} ${position}`
        const log = kept.get(name) ?? read.get(name)
        if (!log) missing.set(name, { partition: state.partition, collectionId: state.id, position })
        return log
      }
      function logsOf(token: PlacedToken): LogsOfToken {
        const { mint, last } = token.places ?? {}
        const minted = logOf(token, mint)
        return { mint: minted, last: last === mint ? minted : logOf(token, last) }
      }
      const known = tokens.map(logsOf)
      if (missing.size === 0) return known
      const final = await finalBlock(chainId)
      const groups = await groupByShard(db, [...missing], ([, { partition }]) => partition)
      for (const [name, log] of (await Promise.all(groups.map(readLogs))).flat()) {
        read.set(name, log)
        if (log.shown && final !== null && log.shown.block <= final) kept.set(name, log)
      }
      return tokens.map(logsOf)
    },
  }

  async function readLogs(logs: readonly NamedLog[]): Promise<[name: string, log: OriginLog][]> {
    const listOf = (of: (log: PlacedLog) => bigint | number) => `{${logs.map(([, log]) => of(log)).join()}}`
    const values = [
      listOf(({ partition }) => partition),
      listOf(({ collectionId }) => collectionId),
      listOf(({ position }) => position),
    ]
    const [row] = await sql.bytes(selectLogs, values)
    const found = logsIn(logs, row?.[0] ?? nothing)
    if (row) sql.giveBack(row)
    return found
  }
}

const nothing = Buffer.alloc(0)

type NamedLog = [name: string, log: PlacedLog]

function logsIn(logs: readonly NamedLog[], bytes: Buffer): [name: string, log: OriginLog][] {
  const found: [string, OriginLog][] = []
  for (let at = 0; at < bytes.length; at += bytesOfLog) {
    const [name, log] = logs[bytes.readInt32BE(at) - 1]!
    const seconds = bytes.readBigInt64BE(at + 5)
    const time = seconds < 0n ? null : seconds
    found.push([
      name,
      {
        ...log,
        toItself: bytes[at + 4] === 1,
        time,
        shown: time === null ? null : { block: blockOfPosition(log.position), time: isoOf(time) },
        blockHash: bufferToHex(bytes.subarray(at + 13, at + 45)),
        transactionHash: bufferToHex(bytes.subarray(at + 45, at + 77)),
      },
    ])
  }
  return found
}
