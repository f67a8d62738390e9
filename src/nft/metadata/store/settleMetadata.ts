import { copyBytes, copyRows, copyText } from '../../../db/copyRows.ts'
import type { Database, Transaction } from '../../../db/database.ts'
import { withStagingTables } from '../../../db/staging/stagingTables.ts'
import { lockServedCollection } from '../../collection/lock.ts'
import { raisedVersion } from '../../collection/version.ts'
import { sameToken } from '../../transfers/tokenHash.ts'
import { isUntried, type Outcome, type Settled, uriOf } from '../parse/outcome.ts'
import { noMetadata, renderMetadata } from '../parse/renderMetadata.ts'
import { forgetTokens } from './forgetTokens.ts'
import { keepDeadHosts } from './hostStore.ts'
import { dropOldest } from './metadataHistory.ts'
import { announcedPause, beyondPauses, dueAfter, dueAfterOnCluster, mostUnchanged } from './schedule.ts'
import { settleTraits, traitField, traitTexts } from './settleTraits.ts'

/** The collection that outcomes belong to. */
export type MetadataCollection = { partition: number; id: bigint }

/**
 * Stores the outcomes of attempts in one transaction: metadata, replaced versions, trait counts, and next due times. False: another worker now serves
 * the collection, and nothing was stored.
 */
export async function settleMetadata(
  db: Database,
  options: {
    collection: MetadataCollection
    worker: number
    settled: readonly Settled[]
    /** Shortest pause before another read of a token that was announced during a read. */
    coolOffMs: number
  },
): Promise<boolean> {
  const { collection, worker, settled, coolOffMs } = options
  return db.transaction(async (tx) => {
    if (!(await lockServedCollection(tx, collection, worker))) return false
    const unlisted = await withStagingTables(tx, { stages: ['stage_metadata'], byKeys: true }, () =>
      settleStaged(tx, { collection, settled, coolOffMs }),
    )
    await settleUnlisted(tx, collection, unlisted)
    return true
  })
}

/** Returns the hashes of tokens that are not listed, of which nothing is stored. */
async function settleStaged(
  tx: Transaction,
  options: { collection: MetadataCollection; settled: readonly Settled[]; coolOffMs: number },
): Promise<string[]> {
  const { collection, settled, coolOffMs } = options
  const untried = settled.filter(({ outcome }) => isUntried(outcome))
  const tried = settled.filter(({ outcome }) => !isUntried(outcome))
  let unlisted: string[] = []
  if (tried.length > 0) {
    await tx.copy('COPY stage_metadata FROM STDIN', copyRows(lines(collection, tried)))
    unlisted = (await tx.fresh.rows<[string]>(dropUnlisted)).map(([hash]) => hash)
    if ((await tx.fresh.run(keepOldMetadata)) > 0) await tx.fresh.run(dropOldest('stage_metadata'))
    const key = [collection.partition, collection.id]
    const metadata = tried.flatMap(({ outcome }) => (outcome.state === 'ok' ? outcome.metadata : []))
    const [counted] = await tx.fresh.rows<[bigint]>(settleTraits, [...key, ...traitTexts(metadata)])
    const [first] = await tx.fresh.rows<[bigint, bigint]>(countFirsts)
    await tx.fresh.run(storeOutcomes)
    const [tries, firsts] = first!
    await tx.fresh.run(raiseCollection, [...key, tries, firsts, longest(tried), counted![0] > 0n ? 1 : 0])
  }
  if (untried.length > 0) {
    await tx.copy('COPY stage_metadata FROM STDIN', copyRows(lines(collection, untried)))
    await tx.fresh.run(keepDeadHosts)
  }
  await tx.fresh.run(deleteQueued)
  await tx.fresh.run(readAgain, [coolOffMs])
  await tx.fresh.run(postponeQueued, [coolOffMs])
  return unlisted
}

/** How long a token waits that is not listed while its collection reads its history. */
const unlistedPauseMs = 60_000

/**
 * Unlisted tokens that are still due would be read again at once, without end. While the contract was only known, they were due for wallets. The
 * history of the collection may still list them; a live collection forgets them.
 */
async function settleUnlisted(
  tx: Transaction,
  { partition, id }: MetadataCollection,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return
  const [row] = await tx.rows<[boolean]>(isLive, [partition, id])
  if (row?.[0])
    await forgetTokens(
      tx,
      hashes.map((hash) => ({ partition, id, hash })),
    )
  else await tx.run(postponeUnlisted, [partition, id, hashes, new Date(Date.now() + unlistedPauseMs)])
}

const isLive = `SELECT status = 'live' FROM collection WHERE partition = $1 AND id = $2`

const postponeUnlisted = `
UPDATE metadata_due SET due_at = $4 WHERE partition = $1 AND collection_id = $2 AND token_hash = ANY($3::uuid[]) AND due_at < $4`

function* lines({ partition, id }: MetadataCollection, settled: readonly Settled[]): Generator<string> {
  for (const { token, outcome, at } of settled) {
    const metadata = outcome.state === 'ok' ? outcome.metadata : null
    const fields = [
      String(partition),
      String(id),
      token.hash,
      String(token.tokenId),
      token.dueAt.toISOString(),
      outcome.state,
      copyText(outcome.state === 'ok' ? null : outcome.reason),
      String(attemptsAfter(token.attempts, outcome)),
      copyText(recordOf(outcome, at)),
      copyText(metadata?.normalized ?? null),
      metadata ? traitField(metadata.traits) : '{}',
      copyText(metadata?.media?.url ?? null),
      metadata?.media?.hash ?? '\\N',
      copyText(metadata?.animation ?? null),
      copyBytes(metadata?.hash ?? null),
      at.toISOString(),
      retryAtOf(outcome),
      copyText(token.announcedAt),
      copyText(outcome.state === 'parked' ? outcome.host : null),
    ]
    yield `${fields.join('\t')}\n`
  }
}

/** Most characters that URI, metadata and media of one token add to its record. */
function longest(settled: readonly Settled[]): number {
  let most = 0
  for (const { outcome } of settled) {
    const uri = uriOf(outcome)
    const parts =
      outcome.state === 'ok' ? outcome.metadata : { text: null, normalized: '', media: null, animation: null }
    const length =
      (uri?.length ?? 0) +
      (parts.text?.length ?? 0) +
      parts.normalized.length +
      (parts.media?.url.length ?? 0) +
      (parts.animation?.length ?? 0)
    most = Math.max(most, length)
  }
  return most
}

function retryAtOf(outcome: Outcome): string {
  if (outcome.state === 'parked') return 'infinity'
  return 'retryAt' in outcome ? outcome.retryAt.toISOString() : '\\N'
}

function attemptsAfter(before: number, outcome: Outcome): number {
  if (isUntried(outcome)) return before
  return outcome.state === 'ok' ? 0 : before + 1
}

function recordOf(outcome: Outcome, at: Date): string {
  const uri = uriOf(outcome)
  if (uri === null) return noMetadata
  const isRead = outcome.state === 'ok'
  return renderMetadata({ uri, uriAt: at, text: isRead ? outcome.metadata.text : null, textAt: isRead ? at : null })
}

// The statements in the order of a transaction. Each token is staged once.

/**
 * Drops tokens that were burned or removed by a reorg during the read. For a contract that is only known, tokens of wallets are read, which are not
 * listed: they are not due any more then.
 */
const dropUnlisted = `
DELETE FROM stage_metadata s WHERE NOT EXISTS (SELECT 1 FROM token t
  WHERE ${sameToken('t', 's')} AND t.amount > 0)
  AND NOT EXISTS (SELECT 1 FROM collection c JOIN metadata_due d ON d.partition = c.partition AND d.collection_id = c.id
    WHERE c.partition = s.partition AND c.id = s.collection_id AND c.status = 'known' AND ${sameToken('d', 's')})
RETURNING s.token_hash::text`

/** Stores replaced metadata. */
const keepOldMetadata = `
INSERT INTO token_document (partition, collection_id, token_hash, until, since, document_hash, record)
SELECT m.partition, m.collection_id, m.token_hash, s.at, m.fetched_at, m.document_hash, m.record
FROM stage_metadata s JOIN token_metadata m USING (partition, collection_id, token_hash)
WHERE s.state = 'ok' AND m.document_hash IS NOT NULL AND m.document_hash <> s.document_hash
ON CONFLICT DO NOTHING`

/** Staged tokens with their first attempt, and with their first metadata; counted before outcomes are stored. */
const countFirsts = `
SELECT count(*) FILTER (WHERE m.known IS NULL),
  count(*) FILTER (WHERE s.state = 'ok' AND m.document_hash IS NULL)
FROM stage_metadata s LEFT JOIN LATERAL (
  SELECT m.document_hash, true AS known FROM token_metadata m WHERE ${sameToken('m', 's')} LIMIT 1
) m ON true`

/** A failure keeps the token's last metadata. Rows are written in page order, so that the rows of a page are neighbours. */
const storeOutcomes = `
INSERT INTO token_metadata AS m (partition, collection_id, token_hash, state, reason, attempts, record, normalized,
  traits, media_url, media_hash, animation_url, document_hash, fetched_at, tried_at)
SELECT partition, collection_id, token_hash, state, reason, attempts, record, normalized, traits, media_url,
  media_hash, animation_url, document_hash, CASE WHEN state = 'ok' THEN at END, at
FROM stage_metadata ORDER BY token_hash
ON CONFLICT (partition, collection_id, token_hash) DO UPDATE SET
  unchanged = CASE WHEN m.state = excluded.state AND m.reason IS NOT DISTINCT FROM excluded.reason
      AND (excluded.state <> 'ok' OR m.document_hash = excluded.document_hash)
      AND excluded.tried_at - m.tried_at < ${beyondPauses}
    THEN least(m.unchanged + 1, ${mostUnchanged}) ELSE 0 END,
  state = excluded.state, reason = excluded.reason, attempts = excluded.attempts, tried_at = excluded.tried_at,
  record = CASE WHEN excluded.state = 'ok' OR m.document_hash IS NULL THEN excluded.record ELSE m.record END,
  normalized = CASE WHEN excluded.state = 'ok' THEN excluded.normalized ELSE m.normalized END,
  traits = CASE WHEN excluded.state = 'ok' THEN excluded.traits ELSE m.traits END,
  media_url = CASE WHEN excluded.state = 'ok' THEN excluded.media_url ELSE m.media_url END,
  media_hash = CASE WHEN excluded.state = 'ok' THEN excluded.media_hash ELSE m.media_hash END,
  animation_url = CASE WHEN excluded.state = 'ok' THEN excluded.animation_url ELSE m.animation_url END,
  document_hash = CASE WHEN excluded.state = 'ok' THEN excluded.document_hash ELSE m.document_hash END,
  fetched_at = coalesce(excluded.fetched_at, m.fetched_at)`

const samePlace = `${sameToken('d', 's')}
  AND d.due_at = s.due_at`

/** Completed tokens are not due any more, unless a client requested them, or their contract announced them, during the read. */
const deleteQueued = `
DELETE FROM metadata_due d USING stage_metadata s
WHERE ${samePlace} AND s.retry_at IS NULL AND d.announced_at IS NOT DISTINCT FROM s.announced_at`

/**
 * Completed tokens that `deleteQueued` kept were announced during the read: they are due after their pause. Those that a client requested are due at
 * `announced_at`.
 */
const readAgain = `
UPDATE metadata_due d SET attempts = 0, announced_at = NULL, host = NULL, parked_at = NULL,
  due_at = CASE WHEN d.announced_at > s.at THEN d.announced_at ELSE s.again_at END
FROM (
  SELECT s.partition, s.collection_id, s.token_hash, s.due_at, s.at, ${dueAfterOnCluster('m.tried_at', announcedPause('$1', 'm.unchanged'))} AS again_at
  FROM stage_metadata s JOIN token_metadata m ON ${sameToken('m', 's')} WHERE s.retry_at IS NULL
) s
WHERE ${samePlace}`

/**
 * Tokens that failed, or whose host is paused, are due again later. One that was announced during the read may have another URI by now. So it is read
 * once more before it waits for a dead host.
 */
const postponeQueued = `
UPDATE metadata_due d SET attempts = s.attempts, announced_at = NULL, host = s.host,
  parked_at = s.parked_at,
  due_at = CASE WHEN d.announced_at IS NOT DISTINCT FROM s.announced_at THEN s.retry_at
    WHEN d.announced_at > s.at THEN least(s.retry_at, d.announced_at) ELSE s.soon_at END
FROM (
  SELECT partition, collection_id, token_hash, due_at, attempts, host, announced_at, retry_at, at,
    CASE WHEN host IS NOT NULL THEN (SELECT now()) END AS parked_at,
    least(retry_at, (SELECT ${dueAfter('now()', announcedPause('$1', '0'))})) AS soon_at
  FROM stage_metadata WHERE retry_at IS NOT NULL
) s
WHERE ${samePlace}`

const raiseCollection = `
UPDATE collection SET metadata_tried = metadata_tried + $3, metadata_documents = metadata_documents + $4, ${raisedVersion()},
  metadata_longest = greatest(metadata_longest, $5), traits_version = traits_version + $6
WHERE partition = $1 AND id = $2`
