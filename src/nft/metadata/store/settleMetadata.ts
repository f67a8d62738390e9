import { copyBytes, copyRows, copyText } from '../../../db/copyRows.ts'
import type { Database } from '../../../db/database.ts'
import { lockServedCollection } from '../../collection/lock.ts'
import { isUntried, type Outcome, type Settled, uriOf } from '../document/outcome.ts'
import { noMetadata, renderMetadata } from '../document/renderMetadata.ts'
import { dropOldest } from './documentHistory.ts'
import { keepDeadHosts } from './hostStore.ts'
import * as sql from './settleSql.ts'

/** The collection that outcomes belong to. */
export type MetadataCollection = { partition: number; id: bigint }

/**
 * Stores what came of tries: documents, what they replace, traits counted, what is due again, in one transaction. False:
 * the collection is another worker's now, and nothing was stored.
 */
export async function settleMetadata(
  db: Database,
  options: {
    collection: MetadataCollection
    worker: number
    settled: readonly Settled[]
    /** The shortest pause before a token is read again that was announced while it was read. */
    coolOffMs: number
  },
): Promise<boolean> {
  const { collection, worker, settled, coolOffMs } = options
  const key = [collection.partition, collection.id]
  return db.transaction(async (tx) => {
    if ((await tx.rows(lockServedCollection, [...key, worker])).length === 0) return false
    await tx.script(sql.prepareStage)
    const untried = settled.filter(({ outcome }) => isUntried(outcome))
    const tried = settled.filter(({ outcome }) => !isUntried(outcome))
    if (tried.length > 0) {
      await tx.copy('COPY stage_metadata FROM STDIN', copyRows(lines(collection, tried)))
      await tx.fresh.run(sql.dropUnlisted)
      if ((await tx.fresh.run(sql.keepOldDocuments)) > 0) await tx.fresh.run(dropOldest('stage_metadata'))
      const [counted] = await tx.fresh.rows<[bigint]>(sql.countTraits)
      const [first] = await tx.fresh.rows<[bigint]>(sql.countFirstTries)
      await tx.fresh.run(sql.storeOutcomes)
      await tx.fresh.run(sql.raiseCollection, [...key, first?.[0] ?? 0n, longest(tried), counted![0] > 0n ? 1 : 0])
    }
    if (untried.length > 0) {
      await tx.copy('COPY stage_metadata FROM STDIN', copyRows(lines(collection, untried)))
      await tx.fresh.run(keepDeadHosts)
    }
    await tx.fresh.run(sql.forgetDue)
    await tx.fresh.run(sql.readAgain, [coolOffMs])
    await tx.fresh.run(sql.postponeDue, [coolOffMs])
    return true
  })
}

function* lines({ partition, id }: MetadataCollection, settled: readonly Settled[]): Generator<string> {
  for (const { token, outcome, at } of settled) {
    const document = outcome.state === 'ok' ? outcome.document : null
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
      copyText(document?.normalized ?? null),
      `{${(document?.traits ?? []).join(',')}}`,
      copyText(document?.media?.url ?? null),
      document?.media?.hash ?? '\\N',
      copyBytes(document?.hash ?? null),
      at.toISOString(),
      retryAtOf(outcome),
      copyText(token.announcedAt),
      copyText(outcome.state === 'parked' ? outcome.host : null),
    ]
    yield `${fields.join('\t')}\n`
  }
}

/** What of a token's record its document decides, in characters. */
function longest(settled: readonly Settled[]): number {
  let most = 0
  for (const { outcome } of settled) {
    const uri = uriOf(outcome)
    const parts = outcome.state === 'ok' ? outcome.document : { text: '', normalized: '', media: null }
    const length = (uri?.length ?? 0) + parts.text.length + parts.normalized.length + (parts.media?.url.length ?? 0)
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
  const text = outcome.state === 'ok' ? outcome.document.text : null
  return renderMetadata({ uri, uriAt: at, text, textAt: text === null ? null : at })
}
