import type { Sql } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { larger } from '../../util/extremes.ts'
import { shareCalls } from '../../util/shareCalls.ts'
import { listVersion, type NetworkState, type Standard } from '../query.ts'
import { isShown } from './coinSql.ts'

/** Position of a coin in page order. */
export type Place = { version: bigint; hash: Buffer }

/** Start of a page: `skip` coins after `after` (null: from the first), of those up to `shownVersion`. */
export type Start = { after: Place | null; skip: number; shownVersion: bigint }

/** Finds the coin at an offset without scanning those before it. */
export type Offsets = {
  /** undefined: there are fewer coins. */
  find(state: NetworkState, offset: number, standard: Standard): Promise<Start | undefined>
}

/**
 * Marks of one network and standard: positions of every `step`-th coin, oldest first. New coins come before, so a mark is stable until the
 * arrangement changes, and only coins newer than the last mark are counted again.
 */
type Marks = {
  epoch: string
  arrangement: bigint
  version: bigint
  shownVersion: bigint
  places: Place[]
  /** Total number of coins. */
  total: number
}

/** Coins between two marks: the most that a page scans. */
const defaultStep = 1_000

const markRow = defineRow({
  version: column.int8('version'),
  hash: column.bytea('coin_type_hash'),
  /** Distance from the place, in coins. */
  distance: column.int8('distance').map(Number),
})

/** Of the next $5 coins after a place, oldest first: each $6th and the last one, with its distance. Reads the index of pages backwards. */
const selectMarks = (standard: Standard) => `SELECT ${markRow.columns} FROM (
  SELECT version, coin_type_hash, row_number() OVER (ORDER BY version, coin_type_hash DESC) AS distance, count(*) OVER () AS read
  FROM (SELECT c.version, c.coin_type_hash FROM coin c
    WHERE ${isShown(standard)} AND c.version >= $3 AND (c.version > $3 OR c.coin_type_hash < $4)
    ORDER BY c.version, c.coin_type_hash DESC LIMIT $5) n) m
WHERE distance % $6 = 0 OR distance = read ORDER BY distance`

/** Marks per statement, which takes 10 ms: pages that share its connection are hardly delayed. */
const marksAtOnce = 10

/** Before the oldest coin: no version is negative, and no hash is empty. */
const bottom: Place = { version: -1n, hash: Buffer.alloc(0) }

/** Keeps the marks of each network in memory: 600 for 600,000 coins, computed in a second on first use. */
export function createOffsets({ db, step = defaultStep }: { db: Sql; step?: number }): Offsets {
  const known = new Map<string, Marks>()
  /** One read at a time per network and standard: waiting requests share it, and other pages are not affected. */
  const shared = shareCalls<void>()

  const keyOf = ({ id }: NetworkState, standard: Standard) => `${id} ${standard}`

  async function read(state: NetworkState, standard: Standard): Promise<void> {
    const { id, epoch, shownVersion } = state
    const key = keyOf(state, standard)
    const version = listVersion(state, standard)
    const arrangement = state.arrangement + (standard === 'v1' ? 0n : state.assetArrangement)
    const before = known.get(key)
    const isValid = before?.epoch === epoch && before.arrangement === arrangement
    // Above the visible version only imported coins were listed, and others appear between them later.
    const places = isValid ? before.places.filter((place) => place.version <= before.shownVersion) : []
    for (;;) {
      const last = places.at(-1) ?? bottom
      const values = [id, shownVersion, last.version, last.hash, marksAtOnce * step, step]
      const marks = (await db.rows(selectMarks(standard), values)).map(markRow.decode)
      const read = marks.at(-1)?.distance ?? 0
      const total = places.length * step + read
      for (const { version, hash, distance } of marks) if (distance % step === 0) places.push({ version, hash })
      if (read === marksAtOnce * step) continue
      known.set(key, { epoch, arrangement, version, shownVersion, places, total })
      return
    }
  }

  /** Marks at least as new as `state`. */
  async function marksOf(state: NetworkState, standard: Standard): Promise<Marks> {
    const key = keyOf(state, standard)
    for (;;) {
      const marks = known.get(key)
      if (marks?.epoch === state.epoch && marks.version >= listVersion(state, standard)) return marks
      await shared(key, () => read(state, standard))
    }
  }

  return {
    async find(state, offset, standard) {
      if (offset < step) return { after: null, skip: offset, shownVersion: state.shownVersion }
      const marks = await marksOf(state, standard)
      const { places, total } = marks
      // Marks stay valid while nothing new is listed, and supplies are those of the current visible version.
      const shownVersion = larger(marks.shownVersion, state.shownVersion)
      if (offset >= total) return undefined
      // Counted from the oldest: mark n is coin (n + 1) * step, and the page begins with coin total - offset.
      const wanted = total - offset
      const mark = Math.floor(wanted / step)
      const after = places[mark] ?? null
      return { after, skip: after ? (mark + 1) * step - wanted - 1 : offset, shownVersion }
    },
  }
}
