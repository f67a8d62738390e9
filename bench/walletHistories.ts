import { setTimeout as wait } from 'node:timers/promises'
import { request } from 'undici'
import { tokenTopic } from '../src/chain/evm/source/tokenEvents.ts'
import { createDatabase } from '../src/db/database.ts'
import { filtersOf } from '../src/nft/walletHistory/walletTopics.ts'
import { noopLog } from '../src/util/log.ts'
import { startChild } from './child.ts'
import { type Figure, medians, type Row } from './figure.ts'
import { benchChain, benchKey, type MeasuredService, startMeasuredService } from './measuredService.ts'
import { type SocketConnection, startTemporaryPostgres } from './temporaryPostgres.ts'
import type { WalletStandInInput } from './walletStandIn.ts'

const large: WalletStandInInput = { blocks: 5_000_000, mints: 20_000_000, holders: 20_000 }
const small: WalletStandInInput = { blocks: 250_000, mints: 1_000_000, holders: 5_000 }
const wallets = 1_000
const connections = 16

/** The contract burns tokens to the address 0x…1, so holders begin after it. */
const firstHolder = 2

const holderOf = (number: number) => number.toString(16).padStart(40, '0')

/** Measures the time of one wallet's history over all contracts, and the wallets a second with many in the queue. */
export const walletHistories: Figure = {
  name: 'wallet-histories',
  title: 'Wallets over all contracts of a chain, with a node in memory that answers any range',
  run: async () => [...(await measured(large, ofOne)), ...(await measured(small, ofMany))],
}

type Measured = { service: MeasuredService; node: string; connection: SocketConnection }

async function measured(input: WalletStandInInput, measure: (of: Measured) => Promise<Row[]>): Promise<Row[]> {
  const standIn = startChild('./walletStandIn.ts', input)
  const { url: node } = await standIn.next<{ url: string }>()
  const postgres = await startTemporaryPostgres()
  const service = await startMeasuredService({ databaseUrl: postgres.url, nodeUrl: node, wallets: 'chain' })
  // The service follows the chain once this wallet is complete.
  await untilSynced(service, input.holders, input.mints / input.holders)
  const rows = await measure({ service, node, connection: postgres.connection })
  await service.stop()
  await postgres.stop()
  await standIn.stop()
  return rows
}

async function page({ url }: MeasuredService, number: number) {
  const path = `/api/v2/0x${holderOf(number)}/nft?chain=${benchChain.name}&limit=1&disable_total=false`
  const { statusCode, body } = await request(url + path, { headers: { 'x-api-key': benchKey } })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`a wallet was answered ${statusCode}: ${text}`)
  return JSON.parse(text) as { status: string; total: number | null }
}

/** Requests a wallet until it is complete and returns the seconds. Throws if tokens are missing. */
async function untilSynced(service: MeasuredService, number: number, tokens: number): Promise<number> {
  const began = performance.now()
  for (;;) {
    const { status, total } = await page(service, number)
    if (status === 'SYNCED') {
      if (total !== tokens) throw new Error(`${total} tokens are listed, ${tokens} exist`)
      return (performance.now() - began) / 1_000
    }
    await wait(10)
  }
}

/** Measures a wallet with 1,000 transfers, beside calls for its logs over all blocks at once. */
async function ofOne({ service, node }: Measured): Promise<Row[]> {
  const tokens = large.mints / large.holders
  let next = firstHolder
  return medians(3, async () => {
    const number = next++
    const bare = await secondsOfCalls(node, number, tokens)
    const seconds = await untilSynced(service, number, tokens)
    return [
      { what: '1,000 transfers among 20,000,000 logs, SYNCED after', value: seconds, unit: 's', goal: { atMost: 3 } },
      { what: 'only the calls for its logs', value: bare, unit: 's' },
    ]
  })
}

async function secondsOfCalls(node: string, number: number, tokens: number): Promise<number> {
  const began = performance.now()
  const answers = await Promise.all(
    filtersOf([holderOf(number)]).map(async (topics) => {
      const filter = { fromBlock: '0x0', toBlock: `0x${(large.blocks - 1).toString(16)}`, topics }
      const call = { jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] }
      const { body } = await request(node, { method: 'POST', body: JSON.stringify(call) })
      return ((await body.json()) as { result: { topics: string[] }[] }).result
    }),
  )
  const found = answers.flat().filter(({ topics }) => topics[0] === tokenTopic.transfer)
  if (found.length !== tokens) throw new Error(`the node has ${found.length} logs of the wallet, not ${tokens}`)
  return (performance.now() - began) / 1_000
}

/** Measures 1,000 wallets at once, with 200 transfers each. */
async function ofMany({ service, connection }: Measured): Promise<Row[]> {
  const db = createDatabase({ connection, poolSize: 1, log: noopLog })
  const began = performance.now()
  let next = firstHolder
  const query = async () => {
    while (next < firstHolder + wallets) await page(service, next++)
  }
  await Promise.all(Array.from({ length: connections }, query))
  // The wallet of `untilSynced` is live, too, so the count must exceed `wallets`.
  const live = async () => Number((await db.rows<[bigint]>(`SELECT count(*) FROM wallet WHERE status = 'live'`))[0]![0])
  while ((await live()) <= wallets) await wait(20)
  const seconds = (performance.now() - began) / 1_000
  await db.close()
  return [
    {
      what: '1,000 wallets at once, 200 transfers each',
      value: wallets / seconds,
      unit: 'wallets/s',
      goal: { atLeast: 50 },
    },
  ]
}
