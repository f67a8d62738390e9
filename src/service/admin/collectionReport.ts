import type { CollectionDetailReport, CollectionReport, VerdictReport } from '../../api/admin/collections.ts'
import type { MetadataHost, MetadataSummary } from '../../nft/metadata/metadataSummary.ts'
import type { CollectionDetail } from '../../nft/pages/collections/collectionDetail.ts'
import { type CollectionState, describeSkipped } from '../../nft/query.ts'
import type { Verdict } from '../../nft/spam/verdict.ts'
import type { ReadingRate } from '../../nft/store/readingRate.ts'
import type { NamedChain } from '../../sync/chainNames.ts'
import type { Address } from '../../util/hex.ts'
import { quantity } from '../../util/hex.ts'

type Reported = { chain: Pick<NamedChain, 'id' | 'name'>; address: Address; state: CollectionState }

/** A collection as JSON, for commands and admin routes. */
export function collectionReport({ chain, address, state }: Reported, rate: ReadingRate | undefined): CollectionReport {
  const { status, synced, reason, standard, name, symbol, progress, metadataProgress, possibleSpam, verified } = state
  return {
    chain: chain.name,
    chainId: quantity(chain.id),
    address,
    status,
    synced,
    reason,
    retryAt: state.retryAt === null ? null : new Date(state.retryAt).toISOString(),
    standard,
    name,
    symbol,
    tokens: String(state.tokens),
    fromBlock: text(state.fromBlock),
    toBlock: text(state.toBlock),
    headBlock: text(state.headBlock),
    progress,
    blocksPerSecond: rate?.blocksPerSecond ?? null,
    secondsLeft: rate?.secondsLeft ?? null,
    metadataProgress,
    possibleSpam,
    verified,
    incomplete: describeSkipped(state.skipped),
  }
}

/** The report of a collection with all other stored data about it. */
export function collectionDetailReport(of: Reported, detail: CollectionDetail): CollectionDetailReport {
  const { requestedAt, requestedBy, rate, verdict, metadata, hosts, skippedLogs, previews } = detail
  const { skipped, metadataProgress } = of.state
  return {
    ...collectionReport(of, rate),
    requestedAt: requestedAt.toISOString(),
    requestedBy: requestedBy && { keyId: String(requestedBy.keyId), name: requestedBy.name },
    metadata: metadata && metadataReport(metadata, metadataProgress),
    hosts: hosts?.map(hostReport) ?? null,
    verdict: verdictReport(verdict),
    leftOut: {
      wideLogs: String(skipped.oversizedLogs),
      surplusTransfers: String(skipped.overLimitTransfers),
      logs: skippedLogs.map((log) => ({ ...log, block: String(log.block), transfers: String(log.transfers) })),
    },
    previews:
      previews && Object.fromEntries(Object.entries(previews).map(([status, count]) => [status, String(count)])),
  }
}

/** A verdict as JSON. */
export function verdictReport(verdict: Verdict): VerdictReport {
  return { ...verdict, assessedAt: verdict.assessedAt?.toISOString() ?? null }
}

function metadataReport({ ok, failed, permanent, due, parked, sweep, reasons }: MetadataSummary, progress: number) {
  return {
    ok: String(ok),
    failed: String(failed),
    permanent: String(permanent),
    due: String(due),
    parked: String(parked),
    progress,
    sweep: sweep && { beginsAt: sweep.beginsAt?.toISOString() ?? null },
    reasons: reasons.map(({ reason, tokens }) => ({ reason, tokens: String(tokens) })),
  }
}

/** A metadata host of a collection, as JSON. */
export function hostReport({ host, deadSince, failures, fault, faultAt, retryAt, parked }: MetadataHost) {
  const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  const state: 'ok' | 'dead' = deadSince === null ? 'ok' : 'dead'
  const times = { deadSince: time(deadSince), faultAt: time(faultAt), retryAt: time(retryAt) }
  return { host, state, failures, fault, tokensWaiting: String(parked), ...times }
}

const text = (block: bigint | null) => (block === null ? null : String(block))
