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
      help: 'JSON-RPC calls sent again after an error.',
      labelNames: rpcLabels,
    }),
    rpcErrors: new Counter({
      registers,
      name: 'mintmark_rpc_errors_total',
      help: 'JSON-RPC calls that failed, by class of the error.',
      labelNames: ['chain', 'method', 'class'] as const,
    }),
    rpcSeconds: new Histogram({
      registers,
      name: 'mintmark_rpc_seconds',
      help: 'Duration of one HTTP request to a node.',
      labelNames: ['chain'] as const,
      buckets: longDurationBuckets,
    }),
    rpcOmissions: new Counter({
      registers,
      name: 'mintmark_rpc_omissions_total',
      help: "Responses that omitted data and were requested again elsewhere; `contradiction`: logs that a block's receipts lack; `wrong_bloom`: blocks whose bloom filter two agreeing responses overruled.",
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
      help: 'Reorganisations (reorgs) undone.',
      labelNames: ['chain'] as const,
    }),
    reorgBlocks: new Counter({
      registers,
      name: 'mintmark_reorg_blocks_total',
      help: 'Blocks that reorganisations removed.',
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
      help: 'Latest head block of the nodes.',
      labelNames: ['chain'] as const,
    }),
    lagBlocks: new Gauge({
      registers,
      name: 'mintmark_lag_blocks',
      help: 'Blocks between the latest head and the last followed block.',
      labelNames: ['chain'] as const,
    }),
    headTimestamp: new Gauge({
      registers,
      name: 'mintmark_chain_head_timestamp_seconds',
      help: 'Timestamp of the latest head block, as Unix seconds.',
      labelNames: ['chain'] as const,
    }),
    headAge: new Gauge({
      registers,
      name: 'mintmark_chain_head_age_seconds',
      help: 'Seconds since a node last confirmed the head of a followed chain, or, if none ever responded, since the chain is needed; read every 10 s.',
      labelNames: ['chain'] as const,
    }),
    chainUnheld: new Gauge({
      registers,
      name: 'mintmark_chain_unfollowed',
      help: '1 if collections or streams need a chain and no living process follows it, else 0; counted every 10 s.',
      labelNames: ['chain'] as const,
    }),
    collections: new Gauge({
      registers,
      name: 'mintmark_collections',
      help: 'Collections by status.',
      labelNames: ['status'] as const,
    }),
    wallets: new Gauge({
      registers,
      name: 'mintmark_wallets',
      help: 'Wallets of chains whose wallets setting is chain, by status; counted once a minute.',
      labelNames: ['status'] as const,
    }),
    metadata: new Counter({
      registers,
      name: 'mintmark_metadata_total',
      help: "Attempts to fetch a token's metadata, by outcome (ok, failed, permanent), and tokens that were not tried, as their host was paused (busy) or dead (`parked`).",
      labelNames: ['state'] as const,
    }),
    metadataDue: new Gauge({
      registers,
      name: 'mintmark_metadata_due',
      help: 'Tokens with pending metadata: due, failed before, or waiting for a dead host (`parked`). The first 100,000 are counted, every 15 s.',
      labelNames: ['state'] as const,
    }),
    walletsDue: new Gauge({
      registers,
      name: 'mintmark_wallets_due',
      help: 'Backlog of the wallet tables: stored or undone transfers that they have not followed yet; counted every 15 s.',
    }),
    urgentLate: new Counter({
      registers,
      name: 'mintmark_urgent_late_total',
      help: 'Delays of urgent work, by kind: requests, webhooks, blocks at the head (head), or webhooks and blocks of another process (elsewhere).',
      labelNames: ['work'] as const,
    }),
    backgroundWaited: new Counter({
      registers,
      name: 'mintmark_background_waited_seconds_total',
      help: 'Seconds for which background tasks yielded to overdue urgent work, all tasks together, by kind; of webhooks: for which they paused as requests were overdue.',
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
      name: 'mintmark_aptos_errors_total',
      help: 'Reads of such networks that failed and were restarted, by error code.',
      labelNames: ['network', 'code'] as const,
    }),
    aptosSkipped: new Counter({
      registers,
      name: 'mintmark_aptos_skipped_total',
      help: 'Malformed writes of coins and fungible assets that were skipped, wholly or in part; the log has each.',
      labelNames: ['network'] as const,
    }),
    aptosHeadVersion: new Gauge({
      registers,
      name: 'mintmark_aptos_head_version',
      help: 'Latest head of such a network.',
      labelNames: ['network'] as const,
    }),
    aptosLagVersions: new Gauge({
      registers,
      name: 'mintmark_aptos_lag_versions',
      help: 'Versions between the latest head and the last one covered without a gap.',
      labelNames: ['network'] as const,
    }),
    aptosHeadAge: new Gauge({
      registers,
      name: 'mintmark_aptos_head_age_seconds',
      help: 'Seconds since a source last confirmed the head of such a network, or, if none ever responded, since the start; read every 10 s.',
      labelNames: ['network'] as const,
    }),
    pageCacheHits: new Counter({
      registers,
      name: 'mintmark_page_cache_hits_total',
      help: 'Pages served from the page cache.',
    }),
    pageCacheMisses: new Counter({
      registers,
      name: 'mintmark_page_cache_misses_total',
      help: 'Pages read from the database.',
    }),
    eventListeners: new Gauge({
      registers,
      name: 'mintmark_event_listeners',
      help: 'Open connections that listen to events, by what they listen to: contract or wallet.',
      labelNames: ['of'] as const,
    }),
    eventsSent: new Counter({
      registers,
      name: 'mintmark_events_sent_total',
      help: 'Events sent to listeners, by kind: block, or reverted.',
      labelNames: ['kind'] as const,
    }),
    eventListenersCut: new Counter({
      registers,
      name: 'mintmark_event_listeners_cut_total',
      help: 'Listeners that were disconnected because they took nothing for a minute.',
    }),
    previews: new Counter({
      registers,
      name: 'mintmark_previews_total',
      help: 'Media processed for preview images, by outcome.',
      labelNames: ['result'] as const,
    }),
    previewSeconds: new Histogram({
      registers,
      name: 'mintmark_preview_seconds',
      help: 'Time that a preview worker spent on one source.',
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
      help: 'Pending webhooks of all streams; with delivered, failed and dropped they are those matched.',
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
      help: 'Attempts to deliver a webhook, by outcome.',
      labelNames: ['status'] as const,
    }),
    webhookSeconds: new Histogram({
      registers,
      name: 'mintmark_webhook_seconds',
      help: 'Duration of one attempt to deliver a webhook.',
      buckets: durationBuckets,
    }),
  }
}
