import type { Database, Sql, Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { isHeldBy } from '../../sync/leases/lease.ts'
import { lockCollection } from '../collection/lock.ts'
import { highestHash } from '../transfers/tokenHash.ts'

/** Channel of requests for holder lists. */
export const holderChannel = 'mintmark_holders'

/** Tokens or balances that one transaction counts, about 100 ms, while merges of the collection wait for it. */
const rowsAtOnce = 10_000

type Key = { partition: number; id: bigint }

/** Requests the list of a collection's holders, which is built soon. */
export async function requestHolders(sql: Sql, { partition, id }: Key): Promise<void> {
  const added = await sql.run(
    'INSERT INTO holder_index (partition, collection_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [partition, id],
  )
  if (added > 0) await sql.rows('SELECT pg_notify($1, $2)', [holderChannel, ''])
}

/** The earliest requested collection of these partitions that is not built; undefined: none. */
export async function nextBuild(sql: Sql, partitions: readonly bigint[]): Promise<Key | undefined> {
  const [row] = await sql.rows<[number, bigint]>(
    `SELECT partition, collection_id FROM holder_index WHERE NOT built AND partition = ANY($1::int2[]) ORDER BY requested_at LIMIT 1`,
    [partitions],
  )
  return row && { partition: row[0], id: row[1] }
}

const placeRow = defineRow({
  tokensTo: column.text('tokens_to::text').orNull(),
  balancesTo: column.text('balances_to::text').orNull(),
  balancesHolder: column.bytea('balances_holder').orNull(),
})

type Places = { tokensTo: string | null; balancesTo: string | null; balancesHolder: Buffer | null }

/** After all addresses. */
const lastHolder = Buffer.alloc(21, 0xff)
const lastHash = highestHash.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/**
 * Counts the next part of a collection's tokens, then of its balances, in a transaction with the lock of merges. So a
 * merge counts changes up to the current place, and the next part finds everything after it. `lost`: worker `worker`
 * does not hold the partition.
 */
export async function buildNextPart(
  db: Database,
  { partition, id }: Key,
  worker: number,
  atOnce = rowsAtOnce,
): Promise<'moved' | 'built' | 'lost'> {
  const key = [partition, id]
  return db.transaction(async (tx) => {
    const [locked] = await tx.rows(lockCollection, key)
    if (!locked) {
      await tx.run('DELETE FROM holder_index WHERE partition = $1 AND collection_id = $2', key)
      return 'built'
    }
    if (!(await isHeldBy(tx, 'partition', BigInt(partition), worker))) return 'lost'
    const [row] = await tx.rows(
      `SELECT ${placeRow.columns} FROM holder_index WHERE partition = $1 AND collection_id = $2 AND NOT built`,
      key,
    )
    if (!row) return 'built'
    const places = placeRow.decode(row)
    const next =
      places.tokensTo === lastHash
        ? await countBalances(tx, key, places, atOnce)
        : await countTokens(tx, key, places, atOnce)
    await tx.run(
      `UPDATE holder_index SET tokens_to = $3::uuid, balances_to = $4::uuid, balances_holder = $5 WHERE partition = $1 AND collection_id = $2`,
      [...key, next.tokensTo, next.balancesTo, next.balancesHolder],
    )
    if (next.tokensTo !== lastHash || next.balancesTo !== lastHash) return 'moved'
    // 0.2 s for a million.
    await tx.fresh.run(endBuild, key)
    return 'built'
  })
}

async function countTokens(tx: Transaction, key: unknown[], places: Places, atOnce: number): Promise<Places> {
  const [found] = await tx.fresh.rows<[string | null, bigint]>(lastToken, [...key, places.tokensTo, atOnce])
  const to = found && found[1] >= BigInt(atOnce) ? found[0] : lastHash
  await tx.fresh.run(addOwners, [...key, places.tokensTo, to])
  return { ...places, tokensTo: to }
}

async function countBalances(tx: Transaction, key: unknown[], places: Places, atOnce: number): Promise<Places> {
  const after = [places.balancesTo, places.balancesHolder]
  const [found] = await tx.fresh.rows<[string, Buffer]>(lastBalance, [...key, ...after, atOnce - 1])
  const [to, holder] = found ?? [lastHash, lastHolder]
  await tx.fresh.run(addBalances, [...key, ...after, to, holder])
  return { ...places, balancesTo: to, balancesHolder: holder }
}

const ofCollection = 'partition = $1 AND collection_id = $2'
const nextTokens = `${ofCollection} AND ($3::uuid IS NULL OR token_hash > $3)`
const nextBalances = `${ofCollection} AND ($3::uuid IS NULL OR (token_hash, holder) > ($3, $4::bytea))`

const lastToken = `
SELECT max(token_hash::text), count(*) FROM (SELECT token_hash FROM token WHERE ${nextTokens} ORDER BY token_hash LIMIT $4) t`

const lastBalance = `
SELECT token_hash::text, holder FROM balance WHERE ${nextBalances} ORDER BY token_hash, holder OFFSET $5 LIMIT 1`

/** Holders in key order, as neighbours are on the same page. */
const addHolders = (held: string) => `
INSERT INTO holder AS h (partition, collection_id, holder, amount, tokens)
SELECT partition, collection_id, holder, sum(amount), count(*) FROM (${held}) t
GROUP BY partition, collection_id, holder ORDER BY holder
ON CONFLICT (partition, collection_id, holder) DO UPDATE SET amount = h.amount + excluded.amount, tokens = h.tokens + excluded.tokens`

const addOwners = addHolders(`SELECT partition, collection_id, owner AS holder, amount FROM token
  WHERE ${nextTokens} AND token_hash <= $4::uuid AND NOT erc1155 AND amount > 0 AND owner IS NOT NULL`)

const addBalances = addHolders(`SELECT partition, collection_id, holder, amount FROM balance
  WHERE ${nextBalances} AND (token_hash, holder) <= ($5::uuid, $6::bytea) AND amount > 0`)

const endBuild = `
UPDATE holder_index i SET built = true, holders = n.holders, pieces = n.pieces FROM (
  SELECT count(*) AS holders, coalesce(sum(amount), 0) AS pieces FROM holder WHERE ${ofCollection}
) n
WHERE i.partition = $1 AND i.collection_id = $2`
