import type { AsOf } from '../../nft/asOfQuery.ts'
import type { CollectionState } from '../../nft/query.ts'
import type { Answer } from '../http/answer.ts'
import type { Exchange } from '../http/route.ts'
import type { PageAnswers } from '../pages/pageAnswers.ts'
import { type AsOfReader, asOfHeaders, type RequestedBlock } from './asOf.ts'
import { createCollectionTarget } from './collections/collectionTarget.ts'
import type { ReportedStatus } from './collections/reportCollection.ts'
import type { CollectionPage } from './pages.ts'

/** A page about one collection at the end of a block. */
export type CollectionPageAsOf = Omit<CollectionPage, 'cut'> & {
  requested: RequestedBlock
  cut(state: CollectionState, status: ReportedStatus['status'], asOf: AsOf): Promise<Buffer | 'moved'>
}

export type PagesAsOf = { answer(page: CollectionPageAsOf, exchange: Exchange): Promise<Answer> }

/**
 * Pages of earlier states. Each answer looks up the block's hash, even for a cached page: a reorg changes it without
 * changing the collection. So the fast path does not serve them.
 */
export function createPagesAsOf(options: {
  reader: AsOfReader
  answers: PageAnswers
  salt: () => Promise<string>
}): PagesAsOf {
  const { reader, answers, salt } = options
  return {
    async answer({ route, collection, name, requested, cut }, exchange) {
      const salted = await salt()
      return reader.read({
        collection,
        exchange,
        requested,
        async read(snapshot, asOf) {
          const target = createCollectionTarget({ route, collection, name: `${name} ${asOf.hash}`, salt: salted })
          const now = performance.now()
          const page = target.at(snapshot, now)
          const { status } = snapshot.report.at(now)
          return answers.answer({
            state: { ...page, headers: asOfHeaders(page.headers, asOf) },
            keep: true,
            cut: () => reader.cut(exchange, () => cut(snapshot.state, status, asOf)),
            exchange,
          })
        },
      })
    },
  }
}
