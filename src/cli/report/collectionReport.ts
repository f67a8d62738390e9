import {
  type MetadataHost,
  type MetadataSummary,
  mostPendingCounted,
  type PendingMetadata,
} from '../../nft/metadata/metadataSummary.ts'
import type { Sweep } from '../../nft/metadata/store/sweep.ts'
import type { CollectionDetail } from '../../nft/pages/collections/collectionDetail.ts'
import { type CollectionState, describeSkipped } from '../../nft/query.ts'
import type { Verdict } from '../../nft/spam/verdict.ts'
import type { ReadingRate } from '../../nft/store/readingRate.ts'
import { hostReport } from '../../service/admin/collectionReport.ts'
import type { NamedChain } from '../../sync/chainNames.ts'
import type { Address } from '../../util/hex.ts'

/** Timeout of each count over a collection's tokens, in milliseconds. */
export const countMs = 60_000

/** Everything that commands print about one collection; its hosts have their own table (`hostRows`). */
export function describeDetail(
  chain: NamedChain,
  address: Address,
  { state, detail }: { state: CollectionState; detail: CollectionDetail },
): string[] {
  return [
    describeCollection(chain, address, state),
    ...describeRate(detail.rate),
    ...describeIncomplete(state),
    ...describeMetadata(detail.metadata),
    ...describeVerdict(detail.verdict),
  ]
}

/** Status of a collection, in one sentence. */
export function describeCollection(chain: NamedChain, address: Address, state: CollectionState): string {
  return `${chain.name} ${address}: ${described(state)}`
}

function described(state: CollectionState): string {
  const { status, reason, standard, name, tokens, toBlock, headBlock, progress } = state
  const retry = state.retryAt === null ? '' : `, next attempt at ${new Date(state.retryAt).toISOString()}`
  switch (status) {
    case 'queued':
      return 'queued'
    case 'syncing':
      return `syncing, ${Math.floor(progress * 100)} %, ${tokens} tokens so far, block ${toBlock ?? '-'} of ${headBlock ?? '-'}`
    case 'live':
      return `live, ${standard ?? 'no tokens yet'}${name ? ` "${bounded(name, 80)}"` : ''}, ${tokens} tokens, block ${toBlock ?? '-'} of ${headBlock ?? '-'}`
    case 'none':
      return reason === null
        ? 'not an NFT contract'
        : `syncing: ${reason}; a request checks it again a minute after the last check`
    case 'nocode':
      return 'there is no contract at this address'
    case 'failed':
      return `failed: ${reason ?? 'the reason is unknown'}${retry}`
  }
}

/** Reading speed of a collection's history, as one line; empty if it is not being read. */
function describeRate({ blocksPerSecond, secondsLeft }: ReadingRate): string[] {
  if (blocksPerSecond === null) return []
  const remaining = secondsLeft === null ? '' : `, some ${duration(secondsLeft)} left`
  return [`reads ${blocksPerSecond} blocks per second${remaining}`]
}

function duration(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

/** Omissions of a collection with reasons, as one line; empty if there are none. */
export function describeIncomplete(state: CollectionState): string[] {
  const incomplete = describeSkipped(state.skipped)
  return incomplete === null ? [] : [`incomplete: ${incomplete}`]
}

/** Spam and verified status of a collection with reasons, one line each. */
export function describeVerdict({
  possibleSpam,
  verified,
  score,
  reasons,
  spamOverride,
  verifiedOverride,
  assessedAt,
}: Verdict): string[] {
  const word = (value: boolean) => (value ? 'yes' : 'no')
  const by = (override: boolean | null) => (override === null ? '' : ' (operator override)')
  return [
    `possible spam: ${word(possibleSpam)}${by(spamOverride)}; score ${score}${assessedAt ? ` on ${assessedAt.toISOString()}` : ', not assessed yet'}`,
    ...reasons.map((reason) => `  ${bounded(reason)}`),
    `verified: ${word(verified)}${by(verifiedOverride)}`,
  ]
}

/** Number of tokens with pending metadata over all collections, as one line. */
export function describePendingMetadata({ due, failed, parked }: PendingMetadata): string {
  const dead = parked === 0 ? '' : `, ${parked} wait for a dead host`
  const bound = due + failed + parked >= mostPendingCounted ? ` (counted up to ${mostPendingCounted})` : ''
  return `metadata: ${due} tokens due, ${failed} failed and will be retried${dead}${bound}`
}

/** The metadata of a collection by state, one line each; null: not counted in time. */
function describeMetadata(summary: MetadataSummary | null): string[] {
  if (!summary) return ['metadata: not counted in time']
  const { ok, failed, permanent, due, parked, sweep, reasons } = summary
  return [
    `metadata: ${ok} ok, ${failed} failed, ${permanent} permanent; ${due} due${parked === 0n ? '' : `, ${parked} of them wait for a dead host`}`,
    ...(sweep ? [`  search for tokens to read again: ${describeSweep(sweep)}`] : []),
    ...reasons.map(({ reason, tokens }) => `  ${tokens} × ${bounded(reason)}`),
  ]
}

function describeSweep({ beginsAt }: Sweep): string {
  const begins = beginsAt !== null && beginsAt.getTime() > Date.now()
  return begins ? `begins at ${beginsAt.toISOString()}` : 'in progress'
}

/** The metadata hosts of a collection as rows of a table. */
export function hostRows(hosts: readonly MetadataHost[]): string[][] {
  return hosts
    .map(hostReport)
    .map((h) => [
      bounded(h.host, 60),
      h.state === 'ok' ? 'ok' : `dead since ${h.deadSince}`,
      h.tokensWaiting,
      h.fault === null ? '-' : `${bounded(h.fault, 80)}${h.faultAt === null ? '' : `, ${h.faultAt}`}`,
      h.retryAt ?? '-',
    ])
}

/** Truncates untrusted text, which may be a kilobyte. `print` removes unsafe characters. */
function bounded(text: string, longest = 200): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
