import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { peakMegabytes, startChild } from './child.ts'
import { mainThreadSeconds } from './cpuTime.ts'
import { type Figure, medians, type Row, shareOf } from './figure.ts'
import type { HistoryPeerAnswer, HistoryPeerInput } from './historyPeer.ts'
import { benchChain, secondsUntilSynced, startMeasuredService } from './measuredService.ts'
import type { StandInAddress, StandInInput } from './rpcStandIn.ts'
import type { ChainShape } from './syntheticLogs.ts'
import { type SocketConnection, startTemporaryPostgres } from './temporaryPostgres.ts'

/** Measures how fast the service reads and merges a long history, beside the least work that stores the same logs. */
export const history: Figure = {
  name: 'history',
  title: 'History of one collection: 500,000 transfers over 500,000 blocks',
  run: () =>
    measure({
      shape: { seed: 1, logs: 500_000, blocks: 500_000, mintShare: 0.6, holders: 20_000 },
      goals: { rate: 40_000, share: 65, whole: 40 },
    }),
}

/** Measures the same for ERC-1155, with amounts and balances instead of owners. */
export const history1155: Figure = {
  name: 'history-1155',
  title: 'History of an ERC-1155: 510,000 transfers of 10,000 ids among 5,000 holders',
  run: () =>
    measure({
      shape: { seed: 1, logs: 510_000, blocks: 510_000, mintShare: 0.3, holders: 5_000, ids: 10_000 },
      goals: { share: 75, whole: 40 },
    }),
}

/** Measures the same for mints alone, which add rows to a table that grows beyond the database's memory. */
export const historyMints: Figure = {
  name: 'history-mints',
  title: 'History of one collection: 2,000,000 mints over 2,000,000 blocks',
  run: () =>
    measure({
      shape: { seed: 1, logs: 2_000_000, blocks: 2_000_000, mintShare: 1, holders: 20_000 },
      goals: { share: 60, whole: 40 },
    }),
}

/** `goals`: logs a second, and the percentages of the baseline's rate, until SYNCED and until the tables of wallets are complete. */
async function measure({
  shape,
  goals,
}: {
  shape: ChainShape
  goals: { rate?: number; share: number; whole: number }
}) {
  const input: StandInInput = { shape, chainId: benchChain.id, multicall: true }
  const standIn = startChild('./rpcStandIn.ts', input)
  const node = await standIn.next<StandInAddress>()
  const rows = await medians(3, async () => {
    const own = await measureService(node, shape.logs)
    const bare = await measureBare(node, shape, 1)
    const parallel = await measureBare(node, shape, 4)
    return [
      {
        what: 'Mintmark',
        value: own.rate,
        unit: 'logs/s',
        ...(goals.rate !== undefined && { goal: { atLeast: goals.rate } }),
      },
      { what: 'baseline, one connection', value: bare.rate, unit: 'logs/s' },
      { what: 'Mintmark, of the baseline', ...shareOf(own.rate, bare.rate, goals.share) },
      {
        what: 'Mintmark until the wallet tables are complete, of the baseline',
        ...shareOf(own.wholeRate, bare.rate, goals.whole),
      },
      { what: 'baseline, four connections', value: parallel.rate, unit: 'logs/s' },
      { what: 'main thread of Mintmark, of a core', value: own.mainShare, unit: '%', goal: { atMost: 20 } },
      { what: 'memory of the Node process at its peak', value: own.megabytes, unit: 'MB', goal: { atMost: 600 } },
      { what: 'memory of the baseline at its peak', value: bare.megabytes, unit: 'MB' },
    ] satisfies Row[]
  })
  await standIn.stop()
  return rows
}

/** Until a collection with so many logs is SYNCED, and until the tables of wallets are complete. */
export async function measureService(node: Pick<StandInAddress, 'url' | 'contract' | 'tokens'>, logs: number) {
  const postgres = await startTemporaryPostgres()
  const service = await startMeasuredService({ databaseUrl: postgres.url, nodeUrl: node.url })
  const before = mainThreadSeconds(service.pid)
  const seconds = await secondsUntilSynced(service.url, node)
  const mainShare = ((mainThreadSeconds(service.pid) - before) / seconds) * 100
  const began = performance.now()
  await walletsWhole(postgres.connection)
  const wholeRate = logs / (seconds + (performance.now() - began) / 1_000)
  const megabytes = peakMegabytes(service.pid)
  await service.stop()
  await postgres.stop()
  return { rate: logs / seconds, wholeRate, mainShare, megabytes }
}

/** Waits until the tables of wallets have no pending work. */
async function walletsWhole(connection: SocketConnection): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  for (let isDue = true; isDue; ) {
    await setTimeout(50)
    isDue = (await client.query('SELECT 1 FROM wallet_due LIMIT 1')).rows.length > 0
  }
  await client.end()
}

async function measureBare(node: StandInAddress, shape: ChainShape, connections: number) {
  const postgres = await startTemporaryPostgres()
  const input: HistoryPeerInput = {
    connection: postgres.connection,
    url: node.url,
    contract: node.contract,
    multiple: shape.ids !== undefined,
    from: node.first,
    to: node.finalized,
    width: 10_000,
    inFlight: 4,
    connections,
  }
  const peer = startChild('./historyPeer.ts', input)
  const { seconds, logs, megabytes } = await peer.next<HistoryPeerAnswer>()
  await peer.stop()
  await postgres.stop()
  if (logs !== shape.logs) throw new Error(`the baseline stored ${logs} logs`)
  return { rate: logs / seconds, megabytes }
}
