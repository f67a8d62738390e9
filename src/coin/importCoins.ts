import type { Database } from '../db/database.ts'
import { type Coin, firstWrites } from './decode/coin.ts'
import { changeOf, raiseNetworkVersions } from './networkStore.ts'
import { coinLists, coinsCte, lacksLater, noteLater, replaceCoin } from './pages/coinSql.ts'

/** The chain takes precedence over a file: omits records at versions that were read, and of coins with an earlier write on the chain. */
const insert = `WITH ${coinsCte}, inserted AS (
  INSERT INTO coin (network_id, imported, shown, early, ${coinLists.columns})
  SELECT $1, true, true, true, c.* FROM coins c
  WHERE NOT EXISTS (SELECT 1 FROM coin_network n WHERE n.id = $1 AND n.coverage @> c.version)
    AND NOT EXISTS (SELECT 1 FROM coin k WHERE k.network_id = $1 AND k.coin_type_hash = c.coin_type_hash AND NOT k.imported
      AND k.version <= c.version)
  ON CONFLICT (network_id, coin_type_hash, imported) DO UPDATE SET ${replaceCoin} WHERE excluded.version < coin.version
  RETURNING coin_type_hash, xmax = 0, standard)
SELECT * FROM inserted`

/** Hides the chain's later writes of imported coins, as these are not their creation. */
const hide = `UPDATE coin SET shown = false WHERE network_id = $1 AND coin_type_hash = ANY($2::bytea[]) AND NOT imported AND shown`

/** Marks coins that were read beyond a gap and that the file also has as imported before. */
const listRead = `WITH ${coinsCte}
UPDATE coin k SET early = true FROM coins c, coin_network n
WHERE n.id = $1 AND k.network_id = $1 AND k.coin_type_hash = c.coin_type_hash AND NOT k.imported AND k.shown AND NOT k.early
  AND k.version <= c.version AND k.version > n.shown_version
RETURNING k.standard`

const noteWrites = `UPDATE coin i SET ${noteLater('i')} FROM coin c
WHERE i.network_id = $1 AND i.coin_type_hash = ANY($2::bytea[]) AND i.imported
  AND c.network_id = i.network_id AND c.coin_type_hash = i.coin_type_hash AND NOT c.imported AND ${lacksLater('i')}`

/**
 * Stores coins from a file, marked until the chain confirms them. Returns the numbers of new ones and of replaced later records of a file; the others
 * were known.
 */
export async function importCoins(
  db: Database,
  networkId: number,
  coins: readonly Coin[],
): Promise<{ added: number; replaced: number }> {
  return db.transaction(async (tx) => {
    // The reader takes the same lock before it adds to the coverage.
    await tx.rows('SELECT id FROM coin_network WHERE id = $1 FOR UPDATE', [networkId])
    const values = [networkId, ...coinLists.lists(firstWrites(coins))]
    const rows = await tx.rows<[Buffer, boolean, standard: number]>(insert, values)
    const listed = await tx.rows<[standard: number]>(listRead, values)
    const added = rows.filter(([, isNew]) => isNew).length
    const hashes = rows.map(([hash]) => hash)
    if (hashes.length > 0) {
      await tx.run(hide, [networkId, hashes])
      await tx.run(noteWrites, [networkId, hashes])
    }
    const changed = changeOf([...rows.map(([, , standard]) => standard), ...listed.map(([standard]) => standard)])
    await raiseNetworkVersions(tx, networkId, {
      imports: added,
      coins: changed.coins > 0,
      assets: changed.assets > 0,
      states: false,
    })
    return { added, replaced: rows.length - added }
  })
}

/** Id of a network's row, which an import before the first start creates. */
export async function networkIdOf(db: Database, name: string): Promise<number> {
  const [row] = await db.rows<[number]>(
    'INSERT INTO coin_network (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id',
    [name],
  )
  return row![0]
}
