import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { peakMegabytes, startChild } from './child.ts'
import type { DecodeInput, DecodeResult } from './decodePeer.ts'
import { type Figure, medians, shareOf } from './figure.ts'
import { benchKey, startMeasuredService } from './measuredService.ts'
import { firstVersion } from './recordedTransactions.ts'
import type { StreamAddress, StreamInput } from './streamStandIn.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

const input: StreamInput = { transactions: 400_000, perMessage: 200 }

/** Measures how fast the service reads the history of a network from a stream, beside decoding alone. */
export const coinsHistory: Figure = {
  name: 'coins-history',
  title: 'History of coins from a transaction stream: 400,000 transactions, repeated from recorded ones',
  async run() {
    const rows = await medians(3, async () => {
      const standIn = startChild('./streamStandIn.ts', input)
      const { address, bytesPerTransaction: bytes } = await standIn.next<StreamAddress>()
      const own = await measureService(address)
      const peer = startChild('./decodePeer.ts', {
        address,
        transactions: input.transactions,
        streams: 4,
      } satisfies DecodeInput)
      const bare = await peer.next<DecodeResult>()
      for (const part of [peer, standIn]) await part.stop()
      return [
        { what: 'Mintmark', value: own.rate, unit: 'transactions/s', goal: { atLeast: 15_000 } },
        { what: 'baseline: decoding from the same stream', value: bare.perSecond, unit: 'transactions/s' },
        { what: 'Mintmark, of the baseline', ...shareOf(own.rate, bare.perSecond, 70) },
        { what: 'decoding of messages in memory', value: bare.inMemoryPerSecond, unit: 'transactions/s' },
        { what: 'bytes of a transaction', value: bytes, unit: 'B' },
        { what: 'memory of the Node process at its peak', value: own.megabytes, unit: 'MB', goal: { atMost: 400 } },
      ]
    })
    return rows
  },
}

async function measureService(address: string) {
  const postgres = await startTemporaryPostgres()
  const service = await startMeasuredService({
    databaseUrl: postgres.url,
    config: { aptos: { mainnet: { grpc: address, startVersion: String(firstVersion), silenceMs: 2_000 } } },
  })
  // The measurement starts at the first transactions, as the service searches for the head before.
  let started: { at: number; read: number } | undefined
  let done: { at: number; read: number } | undefined
  while (!done) {
    const read = await transactionsRead(service.url)
    const now = { at: performance.now(), read }
    if (read > 0) started ??= now
    if (read >= input.transactions) done = now
    await wait(50)
  }
  const megabytes = peakMegabytes(service.pid)
  await service.stop()
  await postgres.stop()
  return { rate: ((done.read - started!.read) / (done.at - started!.at)) * 1_000, megabytes }
}

async function transactionsRead(url: string): Promise<number> {
  const { body } = await request(`${url}/metrics`, { headers: { 'x-api-key': benchKey } })
  return Number(/^mintmark_aptos_versions_total\{.*\} (\d+)$/m.exec(await body.text())?.[1] ?? 0)
}
