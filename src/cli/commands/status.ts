import { Command } from 'commander'
import { readCluster } from '../../db/cluster/readNodes.ts'
import { readSizes } from '../../db/cluster/readSizes.ts'
import type { Sql } from '../../db/database.ts'
import { countPendingMetadata } from '../../nft/metadata/metadataSummary.ts'
import { countByStatus } from '../../nft/store/collectionStore.ts'
import { countPendingTransfers } from '../../nft/wallets/walletUpdates.ts'
import { collectionDetailReport } from '../../service/admin/collectionReport.ts'
import { notIndexed, readCollection } from '../../service/admin/oneCollection.ts'
import { isListed, readChainOverview, stateOf } from '../../service/chainOverview.ts'
import { findChain, readChainNames } from '../../service/findChain.ts'
import { readProcesses } from '../../service/processes/processStore.ts'
import { headAgeOf } from '../../sync/headAge.ts'
import { runningServers } from '../../sync/leases/livingWorkers.ts'
import type { Address } from '../../util/hex.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { addCollectionArguments } from '../input/collectionArguments.ts'
import { countMs, describeDetail, describePendingMetadata } from '../report/collectionReport.ts'
import { type DiskOverview, describeDisk, readDiskOverview } from '../report/diskOverview.ts'
import { describeHeadAge, headAgeSeconds, printNetworks, readNetworkOverview } from '../report/networkOverview.ts'
import { describeReplica, type ReplicaOverview, readReplicaOverview } from '../report/replicaOverview.ts'
import { printWebhooks, readWebhookOverview } from '../report/webhookOverview.ts'

/**
 * Timeout for connecting to a cluster node, in milliseconds. An unreachable node costs it three times: for disk, sizes
 * and name.
 */
const nodeTimeoutMs = 3_000

export function statusCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(addCollectionArguments(new Command('status'), { optional: true }))
    .description('show the status of servers, chains and collections, or of one collection')
    .option('--json', 'print JSON')
    .action(
      async (
        chainName: string | undefined,
        address: Address | undefined,
        options: ConfigOptions & { json?: boolean },
        command: Command,
      ) => {
        if (chainName !== undefined && address === undefined) command.error("missing required argument 'address'")
        await withDatabase({ ...options, nodeTimeoutMs }, context, async (db, config) => {
          if (chainName === undefined || address === undefined) {
            const nameOf = await readChainNames({ db, config })
            const overview = {
              disk: await readDiskOverview(db, config),
              /** Undefined without a read replica. */
              replica: await readReplicaOverview(db, config),
              ...(await readOverview(db, nameOf)),
            }
            if (options.json) print.json(overview)
            else printOverview(context, overview)
            return
          }
          const chain = await findChain({ db, config }, chainName)
          const found = await readCollection(db, { chainId: chain.id, address }, { countMs })
          if (!found) throw notIndexed(chain, address, 'command')
          const { state, detail } = found
          if (options.json) return print.json(collectionDetailReport({ chain, address, state }, detail))
          for (const line of describeDetail(chain, address, found)) print.line(line)
        })
      },
    )
}

async function readOverview(db: Sql, nameOf: (id: bigint) => string) {
  const chains = (await readChainOverview(db, [])).filter(isListed)
  const networks = await readNetworkOverview(db)
  const servers = await readServers(db)
  return {
    servers,
    chains: chains.map((chain) => ({
      chain: nameOf(chain.id),
      block: chain.block,
      head: chain.head,
      finalized: chain.finalized,
      headAgeSeconds: headAgeSeconds(headAgeOf(chain)),
      failure: stateOf(chain, servers.some(works)),
    })),
    // As text, like all row counts of this command.
    collections: Object.fromEntries(Object.entries(await countByStatus(db)).map(([status, n]) => [status, String(n)])),
    metadata: await countPendingMetadata(db),
    walletsDue: await countPendingTransfers(db),
    networks,
    webhooks: await readWebhookOverview(db),
    stored: await readSizes(db),
    /** Undefined without a cluster. */
    cluster: await readCluster(db),
  }
}

type Server = { host: string; pid: number; role: string | undefined }

/** Whether a server does background work. */
const works = ({ role }: Server) => role !== 'api'

/**
 * Servers that index or deliver, by their connections, with the role of their process; then servers that only answer.
 */
async function readServers(sql: Sql): Promise<Server[]> {
  const processes = await readProcesses(sql)
  const running = await runningServers(sql)
  const roleOf = ({ host, pid }: { host: string; pid: number }) =>
    processes.find((one) => one.host === host && one.pid === pid)?.role
  const answering = processes.filter(({ role }) => role === 'api').map(({ host, pid, role }) => ({ host, pid, role }))
  return [...running.map((server) => ({ ...server, role: roleOf(server) })), ...answering]
}

type Overview = Awaited<ReturnType<typeof readOverview>> & { disk: DiskOverview; replica: ReplicaOverview | undefined }

function printOverview({ print }: CliContext, overview: Overview): void {
  const { disk, replica, servers, chains, collections, metadata, walletsDue, networks, webhooks, stored, cluster } =
    overview
  if (servers.length > 0)
    print.line(
      `servers: ${servers.map(({ host, pid, role }) => `${host}:${pid}${role ? ` (${role})` : ''}`).join(', ')}`,
    )
  if (!servers.some(works)) print.line('no server indexes on this database: start one with "mintmark start"')
  for (const line of describeDisk(disk)) print.line(line)
  print.line(describeSizes(stored))
  if (cluster) print.line(describeCluster(cluster))
  if (replica) print.line(describeReplica(replica))
  const counts = Object.entries(collections).map(([status, count]) => `${count} ${status}`)
  print.line(`collections: ${counts.length === 0 ? 'none' : counts.join(', ')}`)
  print.line(describePendingMetadata(metadata))
  print.line(`wallets: ${walletsDue === 0 ? 'up to date' : `${walletsDue} transfers pending`}`)
  printWebhooks(print, webhooks)
  if (chains.length > 0) {
    print.line()
    print.table(
      ['chain', 'block', 'head', 'head seen', 'finalized', 'state'],
      chains.map((c) => [
        c.chain,
        String(c.block ?? '-'),
        String(c.head ?? '-'),
        describeHeadAge(c.headAgeSeconds),
        String(c.finalized ?? '-'),
        c.failure ?? (c.head === null ? 'no node was queried yet' : 'good'),
      ]),
    )
  }
  printNetworks(print, networks)
}

function describeCluster({ nodes, shards }: NonNullable<Awaited<ReturnType<typeof readCluster>>>): string {
  const taking = nodes.filter((node) => node.takesRows || node.shards > 0)
  return `nodes: ${taking.map((node) => `${node.name} with ${node.shards}`).join(', ')} of ${shards} shards`
}

/** Sizes by kind, as one line; kinds below a tenth of a megabyte are omitted. */
function describeSizes(sizes: readonly { kind: string; bytes: number }[]): string {
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const shown = sizes.filter(({ bytes }) => bytes >= 100_000).map(({ kind, bytes }) => `${kind} ${megabytes(bytes)}`)
  return `database: ${[megabytes(all), ...(shown.length > 0 ? [shown.join(', ')] : [])].join(': ')}`
}

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
}
