import type { Database, Sql, Transaction } from '../../db/database.ts'
import { column, defineRow } from '../../db/defineRow.ts'
import { joinedWithin, lookUpKeys, scanIndexes, within, withStages } from '../../db/stages/stages.ts'
import { isHeldBy } from '../../sync/leases/lease.ts'
import { lockCollection } from '../collection/lock.ts'
import { highestHash } from '../transfers/tokenHash.ts'
import { applyHolders } from './holderChanges.ts'

/** Notified when the holders of a collection are to be kept. */
export const holderChannel = 'mintmark_holders'

/** Tokens or balances that one transaction counts, while merges of the collection wait for it: 5,000 take 60 ms. */
const rowsAtOnce = 5_000

type Key = { partition: number; id: bigint }

/** Has the holders of a collection kept, from soon on. */
export async function requestHolders(sql: Sql, { partition, id }: Key): Promise<void> {
  const added = await sql.run(
    'INSERT INTO holder_index (partition, collection_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [partition, id],
  )
  if (added > 0) await sql.rows('SELECT pg_notify($1, $2)', [holderChannel, ''])
}

/** The collection of these partitions that was requested first and is not built; undefined: there is none. */
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

/** Behind all addresses. */
const lastHolder = Buffer.alloc(21, 0xff)
const lastHash = highestHash.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/**
 * Counts the next part of a collection's tokens, then of its balances, in a transaction with the lock that merges hold too. So a merge counts what lies
 * up to the place that is reached, and the next part finds all that lies behind it. `lost`: worker `worker` does not hold the partition.
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
    const isBuilt = next.tokensTo === lastHash && next.balancesTo === lastHash
    await tx.run(
      `UPDATE holder_index SET tokens_to = $3::uuid, balances_to = $4::uuid, balances_holder = $5, built = $6
       WHERE partition = $1 AND collection_id = $2`,
      [...key, next.tokensTo, next.balancesTo, next.balancesHolder, isBuilt],
    )
    return isBuilt ? 'built' : 'moved'
  })
}

async function countTokens(tx: Transaction, key: unknown[], places: Places, atOnce: number): Promise<Places> {
  const [found] = await tx.fresh.rows<[string | null, bigint]>(lastToken, [...key, places.tokensTo, atOnce])
  const to = found && found[1] >= BigInt(atOnce) ? found[0] : lastHash
  await count(tx, key, stageTokens, [...key, places.tokensTo, to])
  return { ...places, tokensTo: to }
}

async function countBalances(tx: Transaction, key: unknown[], places: Places, atOnce: number): Promise<Places> {
  const after = [places.balancesTo, places.balancesHolder]
  const [found] = await tx.fresh.rows<[string, Buffer]>(lastBalance, [...key, ...after, atOnce - 1])
  const [to, holder] = found ?? [lastHash, lastHolder]
  await count(tx, key, stageBalances, [...key, ...after, to, holder])
  return { ...places, balancesTo: to, balancesHolder: holder }
}

async function count(tx: Transaction, [partition]: unknown[], stage: string, values: unknown[]): Promise<void> {
  const of = within(await joinedWithin(tx, partition as number))
  await withStages(tx, { stages: ['stage_holder'], partition: partition as number }, async () => {
    await tx.fresh.run(stage, values)
    await tx.script(lookUpKeys)
    await applyHolders(tx, of)
    await tx.script(scanIndexes)
  })
}

const ofCollection = 'partition = $1 AND collection_id = $2'
const nextTokens = `${ofCollection} AND ($3::uuid IS NULL OR token_hash > $3)`
const nextBalances = `${ofCollection} AND ($3::uuid IS NULL OR (token_hash, holder) > ($3, $4::bytea))`

const lastToken = `
SELECT max(token_hash::text), count(*) FROM (SELECT token_hash FROM token WHERE ${nextTokens} ORDER BY token_hash LIMIT $4) t`

const lastBalance = `
SELECT token_hash::text, holder FROM balance WHERE ${nextBalances} ORDER BY token_hash, holder OFFSET $5 LIMIT 1`

const stageTokens = `
INSERT INTO stage_holder (partition, collection_id, holder, amount, tokens)
SELECT partition, collection_id, owner, sum(amount), count(*) FROM token
WHERE ${nextTokens} AND token_hash <= $4::uuid AND NOT erc1155 AND amount > 0 AND owner IS NOT NULL
GROUP BY partition, collection_id, owner`

const stageBalances = `
INSERT INTO stage_holder (partition, collection_id, holder, amount, tokens)
SELECT partition, collection_id, holder, sum(amount), count(*) FROM balance
WHERE ${nextBalances} AND (token_hash, holder) <= ($5::uuid, $6::bytea) AND amount > 0
GROUP BY partition, collection_id, holder`
