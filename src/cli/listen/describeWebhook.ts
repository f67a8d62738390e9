import type { WebhookBody } from '../../webhook.ts'
import { counted } from '../report/print.ts'

type Item = Record<string, unknown>

/** Most lines of details; more are only counted. */
const mostLines = 8

/** A webhook as one line, with its contents as a few more lines. */
export function describeWebhook(body: WebhookBody): { title: string; lines: string[] } {
  if (body.streamId === '' && body.block?.number === '') return { title: 'test webhook', lines: [] }
  const place = `block ${body.block.number} on chain ${Number.parseInt(body.chainId, 16)}`
  const kind = body.reverted ? 'retracted' : body.confirmed ? 'confirmed' : 'unconfirmed'
  const counts = [
    count(body.logs, 'log'),
    count(body.txs, 'transaction'),
    count(body.txsInternal, 'internal transaction'),
  ].filter((text) => text !== '')
  const tries = body.retries > 0 ? `, attempt ${body.retries + 1}` : ''
  const title = `${place}, ${kind}${counts.length > 0 ? `: ${counts.join(', ')}` : ''}${tries}`
  if (body.reverted) return { title, lines: [`retracts ${body.revertedWebhookId}`] }
  const lines = linesOf(body)
  const shown = lines.slice(0, mostLines)
  return { title, lines: lines.length > mostLines ? [...shown, `… and ${lines.length - mostLines} more`] : shown }
}

function linesOf(body: WebhookBody): string[] {
  const decoded = [
    ...body.erc20Transfers.map((t) => `${amountOf(t)} from ${short(t.from)} to ${short(t.to)}`),
    ...body.erc20Approvals.map((t) => `${amountOf(t)} of ${short(t.owner)} may be spent by ${short(t.spender)}`),
    ...body.nftTransfers.map((t) => `${tokenOf(t)} from ${short(t.from)} to ${short(t.to)}`),
    ...body.nftTokenApprovals.map(
      (t) =>
        `${t.tokenId === null ? `all of ${nameOf(t)}` : tokenOf(t)} of ${short(t.account)} for ${short(t.operator)}`,
    ),
  ]
  const known = new Set(
    [...body.erc20Transfers, ...body.erc20Approvals, ...body.nftTransfers, ...body.nftTokenApprovals].map(
      (t) => t.logIndex,
    ),
  )
  const logs = body.logs
    .filter((log) => !known.has(log.logIndex))
    .map((log) => `log ${log.logIndex} of ${short(log.address)}, topic ${short(log.topic0)}`)
  const txs = body.txs.map((tx) => `${tx.value} wei from ${short(tx.fromAddress)} to ${short(tx.toAddress)}`)
  const inner = body.txsInternal.map(
    (tx) => `${tx.value} wei in an internal transaction, from ${short(tx.from)} to ${short(tx.to)}`,
  )
  return [...decoded, ...logs, ...txs, ...inner]
}

function amountOf(item: Item): string {
  const amount = item.valueWithDecimals ?? item.value
  return `${amount} ${item.tokenSymbol || short(item.contract)}`
}

function nameOf(item: Item): string {
  return String(item.tokenName || item.tokenSymbol || short(item.contract))
}

function tokenOf(item: Item): string {
  const amount = item.amount === undefined || item.amount === '1' ? '' : `${item.amount} × `
  return `${amount}${nameOf(item)} #${item.tokenId}`
}

function count(list: readonly unknown[], what: string): string {
  if (list.length === 0) return ''
  return counted(list.length, what)
}

function short(hex: unknown): string {
  const text = String(hex ?? '-')
  return text.length > 14 ? `${text.slice(0, 8)}…${text.slice(-4)}` : text
}
