import type { Transaction } from '../db/database.ts'
import { type Coin, counterOf } from './decode/coin.ts'
import { type Change, changeOf } from './networkStore.ts'
import { coinLists, coinsCte, lacksLater, noteLater, replaceCoin } from './pages/coinSql.ts'

/** The first write by version wins, so ranges of history may be stored in any order. */
const upsert = `WITH ${coinsCte}
INSERT INTO coin (network_id, imported, shown, ${coinLists.columns})
SELECT $1, false, NOT EXISTS (
    SELECT 1 FROM coin i WHERE i.network_id = $1 AND i.coin_type_hash = c.coin_type_hash AND i.imported AND i.version < c.version),
  c.* FROM coins c
ON CONFLICT (network_id, coin_type_hash, imported) DO UPDATE SET ${replaceCoin} WHERE excluded.version < coin.version
RETURNING coin.standard`

const noteWrites = `WITH ${coinsCte}
UPDATE coin k SET ${noteLater('k')} FROM coins c
WHERE k.network_id = $1 AND k.coin_type_hash = c.coin_type_hash AND ${lacksLater('k')}`

/** Deletes an imported record once the chain was read at its version, or has an earlier write of the same coin. */
const endImports = `DELETE FROM coin i
WHERE i.network_id = $1 AND i.imported AND (
  (i.version >= $2 AND i.version <= $3)
  OR (i.coin_type_hash = ANY($4::bytea[]) AND EXISTS (
    SELECT 1 FROM coin c WHERE c.network_id = $1 AND c.coin_type_hash = i.coin_type_hash AND NOT c.imported AND c.version <= i.version)))
RETURNING i.coin_type_hash, i.version, i.standard`

/**
 * Shows the chain's records of coins whose imported records were deleted. A confirmed coin stays listed, although its creation may still turn out to
 * be earlier.
 */
const showEnded = `UPDATE coin c SET shown = true, early = c.early OR c.version <= e.version
FROM unnest($2::bytea[], $3::int8[]) e (hash, version)
WHERE c.network_id = $1 AND c.coin_type_hash = e.hash AND NOT c.imported`

/** Stores the coins of the completely read versions `from`…`to`. Returns the number of changed rows per standard, and of deleted imported records. */
export async function storeCoins(
  tx: Transaction,
  options: { networkId: number; from: bigint; to: bigint; coins: readonly Coin[] },
): Promise<{ changed: Change; ended: Change }> {
  const { networkId, from, to, coins } = options
  const changed =
    coins.length === 0 ? [] : await tx.rows<[standard: number]>(upsert, [networkId, ...coinLists.lists(coins)])
  const noted = coins.filter((coin) => counterOf(coin) || coin.asset?.pairedType != null)
  if (noted.length > 0) await tx.run(noteWrites, [networkId, ...coinLists.lists(noted)])
  const ended = await tx.rows<[hash: Buffer, version: bigint, standard: number]>(endImports, [
    networkId,
    from,
    to,
    coins.map((c) => Buffer.from(c.hash, 'hex')),
  ])
  if (ended.length > 0)
    await tx.run(showEnded, [networkId, ended.map(([hash]) => hash), ended.map(([, version]) => version)])
  return {
    changed: changeOf(changed.map(([standard]) => standard)),
    ended: changeOf(ended.map(([, , standard]) => standard)),
  }
}
