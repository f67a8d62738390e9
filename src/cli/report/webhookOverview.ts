import type { Sql } from '../../db/database.ts'
import { countStreams } from '../../stream/definition/streamStore.ts'
import { checkLedger, type LedgerBalance } from '../../stream/ledger/checkLedger.ts'
import type { Print } from './print.ts'

export type WebhookOverview = { streams: Record<string, number>; ledger: LedgerBalance }

/** Status of streams, and the equation of their ledger: matched = delivered + failed + pending + dropped. */
export async function readWebhookOverview(db: Sql): Promise<WebhookOverview> {
  return { streams: await countStreams(db), ledger: await checkLedger(db) }
}

export function printWebhooks(print: Print, { streams, ledger }: WebhookOverview): void {
  const counts = Object.entries(streams).map(([status, count]) => `${count} ${status}`)
  print.line(`streams: ${counts.length === 0 ? 'none' : counts.join(', ')}`)
  const { matched, delivered, failed, pending, dropped, unbalanced } = ledger
  if (matched === 0) return
  print.line(
    `webhooks: ${matched} matched = ${delivered} delivered + ${failed} failed + ${pending} pending + ${dropped} dropped`,
  )
  for (const { streamId, difference } of unbalanced)
    print.line(print.style('red', `the ledger of stream ${streamId} is off by ${difference}`))
}
