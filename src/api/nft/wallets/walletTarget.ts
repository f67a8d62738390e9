import { createHash } from 'node:crypto'
import type { Answer } from '../../http/answer.ts'
import type { PageState } from '../../http/pageTarget.ts'
import type { Exchange } from '../../http/route.ts'
import type { PageCache } from '../../pages/pageCache.ts'
import type { StatusReport } from '../../pages/reportHead.ts'
import type { ReportedStatus } from '../collections/reportCollection.ts'

/**
 * Answers a validated request for a wallet's page, and caches its target. Repeated requests skip routing and parsing,
 * but read the shown data each time.
 */
export async function answerAndRemember(options: {
  cache: PageCache
  route: string
  exchange: Exchange
  answer: (exchange: Exchange) => Promise<Answer>
}): Promise<Answer> {
  const { cache, route, exchange, answer } = options
  const first = await answer(exchange)
  cache.remember(exchange.target, { route, params: exchange.params, current: () => undefined, answer })
  return first
}

/**
 * The state of a wallet's page. `mark`: a text that differs whenever the page may differ. A page of one name never
 * changes, so all have one version.
 */
export function walletPageState(options: {
  salt: string
  /** Operation id. */
  operation: string
  place: unknown
  mark: string | Buffer
  report: StatusReport<ReportedStatus>
  reported: ReportedStatus
}): PageState {
  const { salt, operation, place, mark, report, reported } = options
  const digest = createHash('sha256')
    .update(JSON.stringify([salt, operation, place, reported.status]))
    .update(mark)
    .digest('base64url')
    .slice(0, 22)
  return {
    name: `wallet ${digest}`,
    version: 0n,
    etag: `W/"${digest}"`,
    headers: reported.headers,
    confirmedAt: report.confirmedAt,
  }
}
