import type { Transaction } from '../db/database.ts'
import { type Coin, counterOf } from './decode/coin.ts'
import { type Change, changeOf } from './networkStore.ts'
import { coinLists, coinsCte, replaceCoin } from './pages/coinSql.ts'

/** The first write by version wins, so ranges of history may be stored in any order. */
const upsert = `WITH ${coinsCte}
INSERT INTO coin (network_id, imported, shown, ${coinLists.columns})
SELECT $1, false, NOT EXISTS (
    SELECT 1 FROM coin i WHERE i.network_id = $1 AND i.coin_type_hash = c.coin_type_hash AND i.imported AND i.version < c.version),
  c.* FROM coins c
ON CONFLICT (network_id, coin_type_hash, imported) DO UPDATE SET ${replaceCoin} WHERE excluded.version < coin.version
RETURNING coin.standard`

/** A later write of a known coin may be the first that counts its supply in an aggregator. */
const noteAggregators = `WITH ${coinsCte}
UPDATE coin k SET aggregator = c.aggregator FROM coins c
WHERE k.network_id = $1 AND k.coin_type_hash = c.coin_type_hash AND k.aggregator IS NULL`

/**
 * An imported record ends where the chain was read at its version, confirmed or not, and where the chain has an earlier
 * write of the same coin.
 */
const endImports = `DELETE FROM coin i
WHERE i.network_id = $1 AND i.imported AND (
  (i.version >= $2 AND i.version <= $3)
  OR (i.coin_type_hash = ANY($4::bytea[]) AND EXISTS (
    SELECT 1 FROM coin c WHERE c.network_id = $1 AND c.coin_type_hash = i.coin_type_hash AND NOT c.imported AND c.version <= i.version)))
RETURNING i.coin_type_hash, i.standard`

/**
 * Stores the coins of the versions `from`…`to`, which are read completely. Answers how many rows of each standard changed and how many imported
 * records ended.
 */
export async function storeCoins(
  tx: Transaction,
  options: { networkId: number; from: bigint; to: bigint; coins: readonly Coin[] },
): Promise<{ changed: Change; ended: Change }> {
  const { networkId, from, to, coins } = options
  const changed =
    coins.length === 0 ? [] : await tx.rows<[standard: number]>(upsert, [networkId, ...coinLists.lists(coins)])
  const counted = coins.filter(counterOf)
  if (counted.length > 0) await tx.run(noteAggregators, [networkId, ...coinLists.lists(counted)])
  const ended = await tx.rows<[Buffer, standard: number]>(endImports, [
    networkId,
    from,
    to,
    coins.map((c) => Buffer.from(c.hash, 'hex')),
  ])
  if (ended.length > 0)
    await tx.run(
      'UPDATE coin SET shown = true WHERE network_id = $1 AND coin_type_hash = ANY($2::bytea[]) AND NOT imported AND NOT shown',
      [networkId, ended.map(([hash]) => hash)],
    )
  return {
    changed: changeOf(changed.map(([standard]) => standard)),
    ended: changeOf(ended.map(([, standard]) => standard)),
  }
}
