import { z } from 'zod'
import { type Answer, headerOf, jsonAnswer, jsonType } from '../http/answer.ts'
import type { Snapshot } from '../nft/collections/collections.ts'
import type { CollectionReport } from '../nft/collections/reportCollection.ts'
import { reportedTogetherNow } from '../nft/collections/reportTogether.ts'
import { indexOnlyHeaderSchema } from '../nft/schemas.ts'
import { walletHeaderSchema } from '../nft/wallets/reportWallets.ts'

const { shape } = indexOnlyHeaderSchema

/** Headers with the indexing status of the shown data: bodies of this dialect have no field for it. */
export const indexedHeaderSchema = z.object({
  'x-index-status': shape['x-index-status'],
  'x-index-progress': shape['x-index-progress'].optional().describe(shape['x-index-progress'].description!),
  'x-index-to-block': shape['x-index-to-block'],
  'x-index-failure': shape['x-index-failure'],
  'x-index-incomplete': shape['x-index-incomplete'],
  'x-index-scope': walletHeaderSchema.shape['x-index-scope'],
})

const shown = new Set(Object.keys(indexedHeaderSchema.shape))

/** Indexing status of the shown data. */
export type IndexedReport = CollectionReport

/** Filters the headers that answers of this dialect carry. */
export function indexedHeaders(headers: readonly string[]): string[] {
  const kept: string[] = []
  for (let i = 0; i < headers.length; i += 2) if (shown.has(headers[i]!)) kept.push(headers[i]!, headers[i + 1]!)
  return kept
}

/** An answer that shows these collections. */
export function indexedAnswer(body: unknown, snapshots: readonly Snapshot[]): Answer {
  return reportedAnswer(body, reportsOf(snapshots))
}

/** An answer whose headers combine these reports. */
export function reportedAnswer(body: unknown, reports: readonly IndexedReport[]): Answer {
  return jsonAnswer(200, body, headersOf(reports))
}

/** The answer, which also says that it omits something that is stored. */
export function withOmission(answer: Answer, reason: string): Answer {
  const name = 'x-index-incomplete'
  const before = headerOf(answer, name)
  const others = answer.headers.filter((_, i, all) => all[i - (i % 2)] !== name)
  return { ...answer, headers: [...others, name, before === undefined ? reason : `${before}; ${reason}`] }
}

/** As `indexedAnswer`, for a serialised body. */
export function indexedBody(body: Buffer, snapshots: readonly Snapshot[]): Answer {
  const headers = ['content-type', jsonType, ...headersOf(reportsOf(snapshots))]
  return { status: 200, headers, body }
}

export function reportsOf(snapshots: readonly Snapshot[]): IndexedReport[] {
  return snapshots.filter(({ kind }) => kind === 'page').map(({ report }) => report)
}

function headersOf(reports: readonly IndexedReport[]): string[] {
  return indexedHeaders(reportedTogetherNow(reports))
}
