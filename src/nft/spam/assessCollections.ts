import { createHash } from 'node:crypto'
import type { Database, Sql } from '../../db/database.ts'
import { column, defineRow, type RowOf } from '../../db/defineRow.ts'
import type { Leases } from '../../sync/leases/lease.ts'
import { run } from '../../sync/run.ts'
import { isInputFault } from '../../util/faults/inputFault.ts'
import { bufferToHex } from '../../util/hex.ts'
import type { Log } from '../../util/log.ts'
import { raisedVersionIf } from '../collection/version.ts'
import { closeSlots } from '../metadata/parse/countSlots.ts'
import { assessSpam } from './assessSpam.ts'
import type { Lists } from './createLists.ts'
import { rulesVersion, type SpamFacts, spamRules } from './spamRules.ts'

export type AssessCollectionsOptions = {
  leases: Leases
  db: Database
  lists: Lists
  settings: { refreshMs: number; spamThreshold: number }
  log: Log
  signal: AbortSignal
}

const dueRow = defineRow({
  partition: column.int2('partition'),
  id: column.int8('id'),
  chainId: column.int8('chain_id'),
  address: column.bytea('address').map(bufferToHex),
  name: column.text('name').orNull(),
  symbol: column.text('symbol').orNull(),
  /** Not a collection (`isCollection`): only its name and the metadata of some tokens are known. */
  isKnown: column.bool(`status = 'known'`),
  reasons: column.textArray('spam_reasons'),
})

type Unassessed = RowOf<typeof dueRow>

/** The stored reason for a contract on a list. */
const onList = {
  spam: (list: string) => `on the list ${list}`,
  verified: (list: string) => `verified by the list ${list}`,
}

/** Collections per step. */
const atOnce = 20

/** Updates `possible_spam` and `verified` of the live collections and known contracts in this process's partitions. Ends with the signal. */
export async function assessCollections(options: AssessCollectionsOptions): Promise<void> {
  const { leases, db, lists, settings, log, signal } = options
  let refreshAt = 0

  async function step(): Promise<'moved' | 'idle'> {
    if (performance.now() >= refreshAt) {
      await lists.refresh(signal)
      refreshAt = performance.now() + settings.refreshMs
    }
    // Without a list, the basis is simply another one: changes of other lists take effect, and all is assessed again once the list is readable.
    const basis = assessmentBasis({ ...settings, lists: lists.digest() })
    const collections = await readUnassessed(db, [...leases.held('partition')], basis)
    for (const collection of collections)
      await assess(options, collection, basis).catch(async (err: unknown) => {
        if (!isInputFault(err)) throw err
        log.error({ chain: collection.chainId, collection: collection.address, err }, 'spam assessment failed')
        await postpone(db, collection, basis)
      })
    return collections.length >= atOnce ? 'moved' : 'idle'
  }

  await run({ name: 'assess spam', step, idleMs: 2_000, signal, log })
}

/** Digest of everything that decides the assessment of given facts: the lists, by their digest, the rules with their weights, and the threshold. */
function assessmentBasis({ lists, spamThreshold }: { lists: string; spamThreshold: number }): bigint {
  const rules = spamRules.map(({ id, weight }) => [id, weight])
  return createHash('sha256')
    .update(JSON.stringify([lists, spamThreshold, rulesVersion, rules]))
    .digest()
    .readBigInt64BE()
}

/** Postpones a collection whose content causes an error of this program by a day, without a change, so that the others continue. */
async function postpone(sql: Sql, { partition, id }: Unassessed, basis: bigint): Promise<void> {
  await sql.run('UPDATE collection SET assessed_at = now(), assessed_by = $3 WHERE partition = $1 AND id = $2', [
    partition,
    id,
    basis,
  ])
}

/**
 * Collections without an assessment within a day, longest waiting first; known contracts, last named first: pages of wallets wait for these; then
 * those that another basis assessed. Only the holder of a partition assesses it, so processes with different lists do not undo each other's work.
 */
export async function readUnassessed(sql: Sql, partitions: readonly bigint[], basis: bigint): Promise<Unassessed[]> {
  const rows = await sql.rows(
    `SELECT ${dueRow.columns} FROM collection
     WHERE status = 'live' AND partition = ANY($1::smallint[]) AND coalesce(assessed_at, '-infinity') < now() - interval '1 day'
     ORDER BY coalesce(assessed_at, '-infinity') LIMIT ${atOnce}`,
    [partitions],
  )
  const known = await sql.rows(
    `SELECT ${dueRow.columns} FROM collection
     WHERE status = 'known' AND assessed_at IS NULL AND checked_at IS NOT NULL AND partition = ANY($1::smallint[])
     ORDER BY checked_at DESC LIMIT ${atOnce}`,
    [partitions],
  )
  // Two ranges of an index that has all assessed collections. The order keeps the planner from reading the table.
  const outdated = (than: '<' | '>') =>
    sql.rows(
      `SELECT ${dueRow.columns} FROM collection
       WHERE partition = ANY($1::smallint[]) AND assessed_by ${than} $2
         AND (status = 'live' OR status = 'known' AND checked_at IS NOT NULL) AND assessed_at IS NOT NULL
       ORDER BY partition, assessed_by LIMIT ${atOnce}`,
      [partitions, basis],
    )
  return [...rows, ...known, ...(await outdated('<')), ...(await outdated('>'))].map(dueRow.decode)
}

async function assess(
  { db, lists, settings }: AssessCollectionsOptions,
  collection: Unassessed,
  basis: bigint,
): Promise<void> {
  const { score, reasons, spam } = assessSpam(await readFacts(db, collection), { threshold: settings.spamThreshold })
  const { chainId, address, reasons: before } = collection
  const spamLists = lists.find('spam', chainId, address, (list) => before.includes(onList.spam(list)))
  const verifiedLists = lists.find('verified', chainId, address, (list) => before.includes(onList.verified(list)))
  const verified = verifiedLists.length > 0
  const all = [
    ...spamLists.map(onList.spam),
    ...verifiedLists.map(onList.verified),
    ...reasons,
    ...(collection.isKnown ? ['not assessed: owners, mints and transfers, as the contract is not indexed'] : []),
  ]
  // Rules never mark a verified contract as spam; a spam list does.
  const possibleSpam = spamLists.length > 0 || (spam && !verified)
  await db.run(
    `UPDATE collection SET spam_score = $3, spam_reasons = $4, possible_spam = $5, verified = $6, assessed_at = now(), assessed_by = $7,
       ${raisedVersionIf('(spam_score, spam_reasons, possible_spam, verified) IS DISTINCT FROM ($3::int4, $4::text[], $5::bool, $6::bool)')}
     WHERE partition = $1 AND id = $2`,
    [collection.partition, collection.id, score, all, possibleSpam, verified, basis],
  )
}

const movesRow = defineRow({
  mints: column.int8('count(*) FILTER (WHERE minted)').map(Number),
  mintTransactions: column.int8('count(DISTINCT transaction_hash) FILTER (WHERE minted)').map(Number),
  transfers: column.int8('count(*) FILTER (WHERE NOT minted AND NOT burned)').map(Number),
})

/** Facts for the rules, from samples: a huge collection costs as much as a small one. */
export async function readFacts(
  sql: Sql,
  { partition, id, name, symbol, isKnown }: Pick<Unassessed, 'partition' | 'id' | 'name' | 'symbol' | 'isKnown'>,
): Promise<SpamFacts> {
  const key = [partition, id]
  const metadata = await sql.rows<[string, Buffer]>(
    `SELECT normalized, document_hash FROM (
       SELECT normalized, document_hash FROM token_metadata WHERE partition = $1 AND collection_id = $2 LIMIT 5000) sample
     WHERE normalized IS NOT NULL LIMIT 50`,
    key,
  )
  const [tokens] = await sql.rows<[bigint]>(
    `SELECT count(DISTINCT owner) FROM (
       SELECT owner FROM token WHERE partition = $1 AND collection_id = $2 AND amount > 0 LIMIT 5000) sample`,
    key,
  )
  const [moves] = await sql.rows(
    `SELECT ${movesRow.columns} FROM (
       SELECT transaction_hash, from_address = decode(repeat('00', 20), 'hex') AS minted,
         to_address = decode(repeat('00', 20), 'hex') AS burned
       FROM transfer WHERE partition = $1 AND collection_id = $2 ORDER BY position LIMIT 5000) sample`,
    key,
  )
  const parsed = metadata.map(
    ([text]) => JSON.parse(closeSlots(text)) as { name?: string; description?: string; external_url?: string },
  )
  const present = (texts: (string | null | undefined)[]) => texts.filter((text): text is string => !!text)
  return {
    name,
    symbol,
    texts: present(parsed.flatMap((d) => [d.name, d.description])),
    urls: present(parsed.map((d) => d.external_url)),
    metadata: { sampled: metadata.length, distinct: new Set(metadata.map(([, hash]) => hash.toString('hex'))).size },
    ...(isKnown
      ? { owners: null, mints: null, mintTransactions: null, transfers: null }
      : { owners: Number(tokens?.[0] ?? 0n), ...movesRow.decode(moves!) }),
  }
}
