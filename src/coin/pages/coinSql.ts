import { defineLists, list } from '../../db/defineLists.ts'
import { type Coin, coinTypeHash, counterOf } from '../decode/coin.ts'
import { aggregatorHash } from '../decode/coinState.ts'
import { padded } from '../decode/moveValues.ts'
import type { Standard } from '../query.ts'
import { renderDetails, renderRecord } from './record.ts'

/** Coins as a statement gets them. */
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

/** `coins AS (…)` in a WITH clause, from the parameters after $1 that `coinLists` makes. */
export const coinsCte = `coins AS (SELECT * FROM ${coinLists.unnest(2)})`

/** The columns that an earlier write of the same coin replaces; an aggregator that a later one shows stays. */
export const replaceCoin = `version = excluded.version, record = excluded.record, details = excluded.details,
  paired_hash = excluded.paired_hash, aggregator = coalesce(excluded.aggregator, coin.aggregator)`

/**
 * Sets in coins `known` what a later write `c` shows and their first one does not: an aggregator, which `coin::upgrade_supply` adds, and the pair of
 * an asset, of which some files know nothing. Pairs do not change.
 */
export const noteLater = (known: string) => `aggregator = coalesce(${known}.aggregator, c.aggregator),
  details = CASE WHEN ${lacksPair(known)} THEN c.details ELSE ${known}.details END, paired_hash = coalesce(${known}.paired_hash, c.paired_hash)`

/** Whether `noteLater` changes a coin. */
export const lacksLater = (known: string) =>
  `((${known}.aggregator IS NULL AND c.aggregator IS NOT NULL) OR ${lacksPair(known)})`

const lacksPair = (known: string) => `(${known}.paired_hash IS NULL AND c.paired_hash IS NOT NULL)`

const ofStandard: Record<Standard, string> = { v1: ' AND c.standard = 1', v2: ' AND c.standard = 2', all: '' }

/**
 * The coins `c` of network $1 and a standard that pages list, up to the shown version $2: those above it may still turn out to be older
 * than they look.
 */
export const isShown = (standard: Standard) =>
  `c.network_id = $1 AND c.shown AND (c.version <= $2 OR c.early)${ofStandard[standard]}`
