import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { createOutboundMetrics } from './outboundMetrics.ts'
import { createReplicaMetrics } from './replicaMetrics.ts'
import { createRequestMetrics, durationBuckets, longDurationBuckets } from './requestMetrics.ts'
import { createStorageMetrics } from './storageMetrics.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** Which program and process this is. */
export type Build = { version: string; role: string }

/**
 * Every figure that the server publishes at `/metrics`, made once a process and handed to the parts that count. `dataDir`: the folder
 * whose disk is measured.
 */
export function createMetrics(
  options: { processMetrics: boolean; dataDir?: string; build?: Build } = { processMetrics: false },
) {
  const registry = new Registry()
  if (options.processMetrics) collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const rpcLabels = ['chain', 'method'] as const
  const buildInfo = new Gauge({
    registers,
    name: 'mintmark_build_info',
    help: 'Always 1: version of Mintmark and of Node, and the role of the process.',
    labelNames: ['version', 'node', 'role'] as const,
  })
  if (options.build)
    buildInfo.set({ version: options.build.version, node: process.version, role: options.build.role }, 1)
  return {
    registry,
    rpcRequests: new Counter({
      registers,
      name: 'mintmark_rpc_requests_total',
      help: 'JSON-RPC calls sent to nodes, each call of a batch counted.',
      labelNames: rpcLabels,
    }),
    rpcRetries: new Counter({
      registers,
      name: 'mintmark_rpc_retries_total',
      help: 'JSON-RPC calls sent again after a fault.',
      labelNames: rpcLabels,
    }),
    rpcErrors: new Counter({
      registers,
      name: 'mintmark_rpc_errors_total',
      help: 'JSON-RPC calls that a node refused or failed, by class of the fault.',
      labelNames: ['chain', 'method', 'class'] as const,
    }),
    rpcSeconds: new Histogram({
      registers,
      name: 'mintmark_rpc_seconds',
      help: 'Time of one HTTP exchange with a node.',
      labelNames: ['chain'] as const,
      buckets: longDurationBuckets,
    }),
    rpcOmissions: new Counter({
      registers,
      name: 'mintmark_rpc_omissions_total',
      help: "Answers that left something out and were asked for again elsewhere; `contradiction`: logs that a block's receipts lack; `wrong_bloom`: blocks whose bloom two agreeing answers overruled.",
      labelNames: ['chain', 'kind'] as const,
    }),
    blocks: new Counter({
      registers,
      name: 'mintmark_blocks_total',
      help: 'Blocks followed at the head.',
      labelNames: ['chain'] as const,
    }),
    reorgs: new Counter({
      registers,
      name: 'mintmark_reorgs_total',
      help: 'Reorganisations undone.',
      labelNames: ['chain'] as const,
    }),
    reorgBlocks: new Counter({
      registers,
      name: 'mintmark_reorg_blocks_total',
      help: 'Blocks that reorganisations took away.',
      labelNames: ['chain'] as const,
    }),
    logs: new Counter({
      registers,
      name: 'mintmark_logs_total',
      help: 'Logs read, by phase (history or follow).',
      labelNames: ['chain', 'phase'] as const,
    }),
    rows: new Counter({
      registers,
      name: 'mintmark_rows_total',
      help: 'Rows stored, by table.',
      labelNames: ['chain', 'table'] as const,
    }),
    headBlock: new Gauge({
      registers,
      name: 'mintmark_head_block',
      help: 'Head last seen at the node.',
      labelNames: ['chain'] as const,
    }),
    lagBlocks: new Gauge({
      registers,
      name: 'mintmark_lag_blocks',
      help: 'Blocks between the head last seen and the last one applied.',
      labelNames: ['chain'] as const,
    }),
    headTimestamp: new Gauge({
      registers,
      name: 'mintmark_chain_head_timestamp_seconds',
      help: 'Time that the head block last seen carries, as Unix seconds.',
      labelNames: ['chain'] as const,
    }),
    headAge: new Gauge({
      registers,
      name: 'mintmark_chain_head_age_seconds',
      help: 'Seconds since a node last confirmed the head of a chain that is followed, or, where none ever answered, since it is needed; read every 10 s.',
      labelNames: ['chain'] as const,
    }),
    chainUnheld: new Gauge({
      registers,
      name: 'mintmark_chain_unheld',
      help: '1 where collections or streams need a chain and no living process holds it, else 0; counted every 10 s.',
      labelNames: ['chain'] as const,
    }),
    collections: new Gauge({
      registers,
      name: 'mintmark_collections',
      help: 'Collections by status.',
      labelNames: ['status'] as const,
    }),
    metadata: new Counter({
      registers,
      name: 'mintmark_metadata_total',
      help: 'Tries to read a token document, by what came of them (ok, failed, permanent), and tokens that were not tried, as their host was left alone (busy) or dead (parked).',
      labelNames: ['state'] as const,
    }),
    metadataDue: new Gauge({
      registers,
      name: 'mintmark_metadata_due',
      help: 'Tokens whose document is to be read, now or later: due, failed before, or waiting for a dead host (parked). The first 100,000 are counted, every 15 s.',
      labelNames: ['state'] as const,
    }),
    walletsDue: new Gauge({
      registers,
      name: 'mintmark_wallets_due',
      help: 'Transfers that are stored or undone and that the tables of wallets have not followed yet; counted every 15 s.',
    }),
    urgentLate: new Counter({
      registers,
      name: 'mintmark_urgent_late_total',
      help: 'How often work that somebody waits for was found late, by what: requests, webhooks, blocks at the head (head), or webhooks and blocks of another process (elsewhere).',
      labelNames: ['work'] as const,
    }),
    backgroundWaited: new Counter({
      registers,
      name: 'mintmark_background_waited_seconds_total',
      help: 'Seconds for which pieces of work that can wait gave way to late urgent work, all pieces together, by kind; of webhooks: for which they paused as requests were late.',
      labelNames: ['work'] as const,
    }),
    requests: createRequestMetrics({ registers }),
    ...createOutboundMetrics({ registers }),
    aptosVersions: new Counter({
      registers,
      name: 'mintmark_aptos_versions_total',
      help: 'Versions of Aptos-style networks read.',
      labelNames: ['network'] as const,
    }),
    aptosFaults: new Counter({
      registers,
      name: 'mintmark_aptos_faults_total',
      help: 'Reads of such networks that broke and were begun again, by code of the fault.',
      labelNames: ['network', 'code'] as const,
    }),
    aptosSkipped: new Counter({
      registers,
      name: 'mintmark_aptos_skipped_total',
      help: 'Writes of coins and fungible assets of such networks that are malformed and were skipped, in whole or in part; the log has each.',
      labelNames: ['network'] as const,
    }),
    aptosHeadVersion: new Gauge({
      registers,
      name: 'mintmark_aptos_head_version',
      help: 'Head of such a network last seen.',
      labelNames: ['network'] as const,
    }),
    aptosLagVersions: new Gauge({
      registers,
      name: 'mintmark_aptos_lag_versions',
      help: 'Versions between the head last seen and the last one covered without a gap.',
      labelNames: ['network'] as const,
    }),
    aptosHeadAge: new Gauge({
      registers,
      name: 'mintmark_aptos_head_age_seconds',
      help: 'Seconds since a source last confirmed the head of such a network, or, where none ever answered, since the start; read every 10 s.',
      labelNames: ['network'] as const,
    }),
    pageCacheHits: new Counter({
      registers,
      name: 'mintmark_page_cache_hits_total',
      help: 'Pages answered from the page cache.',
    }),
    pageCacheMisses: new Counter({
      registers,
      name: 'mintmark_page_cache_misses_total',
      help: 'Pages cut from the store.',
    }),
    previews: new Counter({
      registers,
      name: 'mintmark_previews_total',
      help: 'Media looked at for previews, by what came of it.',
      labelNames: ['result'] as const,
    }),
    previewSeconds: new Histogram({
      registers,
      name: 'mintmark_preview_seconds',
      help: 'Time that one piece of media held a preview worker.',
      buckets: longDurationBuckets,
    }),
    webhooks: new Counter({
      registers,
      name: 'mintmark_webhooks_total',
      help: 'Webhooks of all streams since the beginning, as the database counts them: matched, delivered, failed (given up), dropped.',
      labelNames: ['state'] as const,
    }),
    webhooksPending: new Gauge({
      registers,
      name: 'mintmark_webhooks_pending',
      help: 'Webhooks of all streams that are still to be delivered; with delivered, failed and dropped they are those matched.',
    }),
    webhookDifference: new Gauge({
      registers,
      name: 'mintmark_webhook_ledger_difference',
      help: 'Webhooks by which matched is not delivered + failed + dropped + pending, over all streams; never above 0.',
    }),
    streams: new Gauge({
      registers,
      name: 'mintmark_streams',
      help: 'Streams by status: active, paused, error, terminated.',
      labelNames: ['status'] as const,
    }),
    ...createStorageMetrics({ registers, dataDir: options.dataDir }),
    ...createReplicaMetrics({ registers }),
    webhookAttempts: new Counter({
      registers,
      name: 'mintmark_webhook_attempts_total',
      help: 'Attempts to deliver a webhook, by what came of them.',
      labelNames: ['status'] as const,
    }),
    webhookSeconds: new Histogram({
      registers,
      name: 'mintmark_webhook_seconds',
      help: 'Time of one attempt to deliver a webhook.',
      buckets: durationBuckets,
    }),
  }
}
