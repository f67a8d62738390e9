import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { readDiskSpace } from '../util/files/diskReserve.ts'
import { createRequestMetrics, durationBuckets, longDurationBuckets } from './requestMetrics.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** The program and process. */
export type Build = { version: string; role: string }

/**
 * Every metric that the server publishes at `/metrics`, created once per process and passed to the parts that count. `dataDir`: the folder whose disk
 * is measured.
 */
export function createMetrics(
  options: { processMetrics: boolean; dataDir?: string; build?: Build } = { processMetrics: false },
) {
  const registry = new Registry()
  if (options.processMetrics) collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ registers, name, help, labelNames })
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ registers, name, help, labelNames })
  const histogram = <L extends string>(name: string, help: string, buckets: number[], ...labelNames: L[]) =>
    new Histogram({ registers, name, help, labelNames, buckets })
  const buildInfo = gauge(
    'mintmark_build_info',
    'Always 1: version of Mintmark and of Node, and the role of the process.',
    'version',
    'node',
    'role',
  )
  if (options.build)
    buildInfo.set({ version: options.build.version, node: process.version, role: options.build.role }, 1)
  return {
    registry,
    rpcRequests: counter(
      'mintmark_rpc_requests_total',
      'JSON-RPC calls sent to nodes, each call of a batch counted.',
      'chain',
      'method',
    ),
    rpcRetries: counter('mintmark_rpc_retries_total', 'JSON-RPC calls sent again after an error.', 'chain', 'method'),
    rpcErrors: counter(
      'mintmark_rpc_errors_total',
      'JSON-RPC calls that failed, by error class.',
      'chain',
      'method',
      'class',
    ),
    rpcSeconds: histogram(
      'mintmark_rpc_seconds',
      'Duration of one HTTP request to a node.',
      longDurationBuckets,
      'chain',
    ),
    rpcOmissions: counter(
      'mintmark_rpc_omissions_total',
      "Incomplete or inconsistent RPC responses, by kind; Mintmark requests them again from other nodes. `unsettled`: no two responses agree; `contradiction`: logs that a block's receipts lack; `wrong_bloom`: two agreeing responses overruled a block's bloom filter.",
      'chain',
      'kind',
    ),
    blocks: counter('mintmark_blocks_total', 'Blocks followed at the head.', 'chain'),
    reorgs: counter('mintmark_reorgs_total', 'Reorgs (chain reorganisations) handled.', 'chain'),
    reorgBlocks: counter('mintmark_reorg_blocks_total', 'Blocks that reorgs removed.', 'chain'),
    logs: counter('mintmark_logs_total', 'Logs read, by phase (history or follow).', 'chain', 'phase'),
    rows: counter('mintmark_rows_total', 'Rows stored, by table.', 'chain', 'table'),
    headBlock: gauge('mintmark_head_block', 'Latest head block of the nodes.', 'chain'),
    lagBlocks: gauge('mintmark_lag_blocks', 'Blocks between the latest head and the last followed block.', 'chain'),
    headTimestamp: gauge(
      'mintmark_chain_head_timestamp_seconds',
      'Timestamp of the latest head block, as Unix seconds.',
      'chain',
    ),
    headAge: gauge(
      'mintmark_chain_head_age_seconds',
      'Data freshness: seconds since a node last confirmed the head of a followed chain, or since the chain was first needed if no node ever responded; read every 10 s.',
      'chain',
    ),
    chainUnheld: gauge(
      'mintmark_chain_unfollowed',
      '1 if collections or streams need a chain and no running process follows it, else 0; counted every 10 s.',
      'chain',
    ),
    collections: gauge('mintmark_collections', 'Collections by status.', 'status'),
    wallets: gauge(
      'mintmark_wallets',
      'Wallets of chains whose wallets setting is chain, by status; counted once a minute.',
      'status',
    ),
    metadata: counter(
      'mintmark_metadata_total',
      "Attempts to fetch a token's metadata, by outcome: ok, failed, permanent. Tokens that were not tried count too: their host was paused (busy) or dead (`parked`).",
      'state',
    ),
    metadataDue: gauge(
      'mintmark_metadata_due',
      'Tokens with pending metadata: due, failed before, or waiting for a dead host (`parked`). The first 100,000 are counted, every 15 s.',
      'state',
    ),
    pendingWalletTransfers: gauge(
      'mintmark_wallets_due',
      'Backlog of the wallet tables: transfers, new or removed by a reorg, that are not applied to them yet; counted every 15 s.',
    ),
    urgentLate: counter(
      'mintmark_urgent_late_total',
      'Delays of urgent work, by kind: requests, webhooks, blocks at the head (head), webhooks and blocks of other processes (elsewhere).',
      'work',
    ),
    backgroundWaited: counter(
      'mintmark_background_waited_seconds_total',
      'Seconds that background tasks waited for overdue urgent work, summed over tasks, by kind. Kind webhooks: seconds that webhooks paused for overdue requests.',
      'work',
    ),
    requests: createRequestMetrics({ registers }),
    outboundRequests: counter(
      'mintmark_outbound_requests_total',
      'Requests to untrusted URLs, by method and outcome (ok, status, timeout, blocked …).',
      'method',
      'outcome',
    ),
    outboundSeconds: histogram(
      'mintmark_outbound_seconds',
      'Duration of one request to an untrusted URL, redirects and waiting for its host included.',
      longDurationBuckets,
      'method',
    ),
    outboundBytes: counter(
      'mintmark_outbound_bytes_total',
      'Bytes of response bodies from untrusted URLs, before decompression.',
    ),
    outboundInFlight: gauge('mintmark_outbound_in_flight', 'Requests in flight to untrusted URLs.', 'method'),
    gatewayRequests: counter(
      'mintmark_gateway_requests_total',
      'Requests to IPFS and Arweave gateways, by host and outcome.',
      'gateway',
      'outcome',
    ),
    aptosVersions: counter('mintmark_aptos_versions_total', 'Versions of Aptos-style networks read.', 'network'),
    aptosFaults: counter(
      'mintmark_aptos_errors_total',
      'Reads of Aptos-style networks that failed and were restarted, by error code.',
      'network',
      'code',
    ),
    aptosSkipped: counter(
      'mintmark_aptos_skipped_total',
      'Malformed writes of coins and fungible assets that were skipped, wholly or in part; the log has a line for each.',
      'network',
    ),
    aptosHeadVersion: gauge('mintmark_aptos_head_version', 'Latest head version of an Aptos-style network.', 'network'),
    aptosLagVersions: gauge(
      'mintmark_aptos_lag_versions',
      'Versions between the latest head and the last version covered without a gap.',
      'network',
    ),
    aptosHeadAge: gauge(
      'mintmark_aptos_head_age_seconds',
      'Data freshness: seconds since a source last confirmed the head of an Aptos-style network, or since the start if none ever responded; read every 10 s.',
      'network',
    ),
    pageCacheHits: counter('mintmark_page_cache_hits_total', 'Pages served from the page cache.'),
    pageCacheMisses: counter('mintmark_page_cache_misses_total', 'Pages read from the database.'),
    eventListeners: gauge(
      'mintmark_event_listeners',
      'Open connections of clients that listen to events, by subject: contract or wallet.',
      'of',
    ),
    eventsSent: counter('mintmark_events_sent_total', 'Events sent to listeners, by kind: block, or reverted.', 'kind'),
    eventListenersCut: counter(
      'mintmark_event_listeners_cut_total',
      'Listeners that were disconnected because they read nothing for a minute.',
    ),
    previews: counter('mintmark_previews_total', 'Media processed for preview images, by outcome.', 'result'),
    previewSeconds: histogram(
      'mintmark_preview_seconds',
      'Time that a preview worker spent on one source file.',
      longDurationBuckets,
    ),
    webhooks: counter(
      'mintmark_webhooks_total',
      'Webhooks of all streams since the first one, counted in the database: matched, delivered, failed (permanently), dropped.',
      'state',
    ),
    webhooksPending: gauge(
      'mintmark_webhooks_pending',
      'Pending webhooks of all streams; matched is delivered + failed + dropped + pending.',
    ),
    webhookDifference: gauge(
      'mintmark_webhook_ledger_difference',
      'Difference between matched and delivered + failed + dropped + pending, summed over all streams; must be 0.',
    ),
    streams: gauge('mintmark_streams', 'Streams by status: active, paused, error, terminated.', 'status'),
    diskFree: new Gauge({
      registers,
      name: 'mintmark_disk_free_bytes',
      help: 'Free bytes on the disk of dataDir.',
      async collect() {
        if (options.dataDir === undefined) return
        // A missing folder has no value.
        const space = await readDiskSpace(options.dataDir)
        if (space) this.set(space.free)
        else this.reset()
      },
    }),
    databaseBytes: gauge(
      'mintmark_database_bytes',
      "Bytes of the whole database on disk, with PostgreSQL's system tables and without the WAL; read every minute.",
    ),
    unreachableDatabaseNodes: gauge(
      'mintmark_database_nodes_unreachable',
      'Nodes of the Citus cluster that do not respond to this process; 0 on one server.',
    ),
    storedBytes: gauge(
      'mintmark_stored_bytes',
      'Bytes of the database on disk, indexes included, by kind of data; read every minute.',
      'kind',
    ),
    diskFault: gauge(
      'mintmark_disk_write_failed',
      '1 while writes fail on a disk: the disk of the database, or of files below dataDir.',
      'disk',
    ),
    replicaUp: gauge(
      'mintmark_replica_up',
      '1 while pages are read from the read replica, 0 while it is unreachable or no longer a replica of the database; checked every second.',
      'replica',
    ),
    replicaLagSeconds: gauge(
      'mintmark_replica_lag_seconds',
      'Replication lag of the read replica, in seconds; 0: it has replayed everything.',
      'replica',
    ),
    replicaLagBytes: gauge(
      'mintmark_replica_lag_bytes',
      "Bytes of the primary's WAL that the read replica has not replayed.",
      'replica',
    ),
    replicaConflicts: counter(
      'mintmark_replica_conflicts_total',
      'Statements that the read replica cancelled because they delayed replay; Mintmark sent each again.',
      'replica',
    ),
    webhookAttempts: counter('mintmark_webhook_attempts_total', 'Attempts to deliver a webhook, by outcome.', 'status'),
    webhookSeconds: histogram(
      'mintmark_webhook_seconds',
      'Duration of one attempt to deliver a webhook.',
      durationBuckets,
    ),
  }
}
