import { defineLists, list } from '../../db/defineLists.ts'
import { type Coin, coinTypeHash, counterOf } from '../decode/coin.ts'
import { aggregatorHash } from '../decode/coinState.ts'
import { padded } from '../decode/moveValues.ts'
import type { Standard } from '../query.ts'
import { renderDetails, renderRecord } from './record.ts'

/** Lists of coins for statements. */
export const coinLists = defineLists<Coin>({
  coin_type_hash: list.bytea((c) => Buffer.from(c.hash, 'hex')),
  version: list.int8((c) => c.version),
  record: list.text(renderRecord),
  standard: list.int2(({ asset }) => (asset ? 2 : 1)),
  details: list.text(({ asset }) => asset && renderDetails(asset)),
  paired_hash: list.bytea(({ asset }) =>
    asset?.pairedType == null ? null : Buffer.from(coinTypeHash(asset.pairedType), 'hex'),
  ),
  aggregator: list.bytea((coin) => {
    const counter = counterOf(coin)
    return counter && Buffer.from(aggregatorHash(padded(counter.handle)!, padded(counter.key)!), 'hex')
  }),
})

/** `coins AS (…)` for a WITH clause, from the parameters of `coinLists` after $1. */
export const coinsCte = `coins AS (SELECT * FROM ${coinLists.unnest(2)})`

/** Columns that an earlier write of the same coin replaces; keeps an aggregator of a later one. */
export const replaceCoin = `version = excluded.version, record = excluded.record, details = excluded.details,
  paired_hash = excluded.paired_hash, aggregator = coalesce(excluded.aggregator, coin.aggregator)`

/**
 * Sets facts of a later write `c` in coins `known` that the first write lacks: an aggregator, which `coin::upgrade_supply` adds, and the pair of an
 * asset, which some files lack. Pairs do not change.
 */
export const noteLater = (known: string) => `aggregator = coalesce(${known}.aggregator, c.aggregator),
  details = CASE WHEN ${lacksPair(known)} THEN c.details ELSE ${known}.details END, paired_hash = coalesce(${known}.paired_hash, c.paired_hash)`

/** Whether `noteLater` changes a coin. */
export const lacksLater = (known: string) =>
  `((${known}.aggregator IS NULL AND c.aggregator IS NOT NULL) OR ${lacksPair(known)})`

const lacksPair = (known: string) => `(${known}.paired_hash IS NULL AND c.paired_hash IS NOT NULL)`

const ofStandard: Record<Standard, string> = { v1: ' AND c.standard = 1', v2: ' AND c.standard = 2', all: '' }

/** Listed coins `c` of network $1 and a standard, up to the visible version $2: later ones may still turn out to be older. */
export const isShown = (standard: Standard) =>
  `c.network_id = $1 AND c.shown AND (c.version <= $2 OR c.early)${ofStandard[standard]}`
