// @module-tag system

import { expect, test, vi } from 'vitest'
import type { TransferRecord } from '../../src/nft/transferRecord.ts'
import type { Address } from '../../src/util/hex.ts'
import { mapAtOnce } from '../../src/util/mapAtOnce.ts'
import { type Anvil, startAnvil, toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { listenTo, type TestListener } from '../eventSource.ts'
import { startTestServer, type TestServer, testApiKey } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'

const mintOf = (to: Address, id: bigint, owner: Address) =>
  toTransaction({ to, abi: plain721.abi, functionName: 'mint', args: [owner, id] })

async function mint(anvil: Anvil, contract: Address, ids: readonly bigint[], owner: Address): Promise<void> {
  for (const id of ids) await anvil.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [owner, id] })
}

const eventsOf = (server: TestServer, path: string) => `${server.url}/api/v2/${path}/events?chain=local`

/** The transfers that the server lists, the earliest first. */
async function listed(server: TestServer, path: string): Promise<TransferRecord[]> {
  const response = await server.get(`/api/v2/${path}/transfers?chain=local&order=ASC`)
  return ((await response.json()) as { result: TransferRecord[] }).result
}

/** Waits until a listener has exactly the transfers that the server lists, from a token id on. */
async function untilSame(
  server: TestServer,
  path: string,
  listener: TestListener,
  { least = 10n, ids }: { least?: bigint; ids: readonly string[] },
): Promise<void> {
  await vi.waitFor(
    async () => {
      const from = (transfers: TransferRecord[]) => transfers.filter(({ token_id }) => BigInt(token_id) >= least)
      const expected = from(await listed(server, path))
      // The wallets' tables may lag when a listener connects. In this case it also gets earlier transfers.
      expect(from(listener.transfers)).toEqual(expected)
      expect(expected.map(({ token_id }) => token_id)).toEqual(ids)
    },
    { timeout: patienceMs, interval: 50 },
  )
}

test('behavior: event listeners of a contract and a wallet match the chain across reorganisations, and resume without a gap', async () => {
  await using anvil = await startAnvil()
  const [owner] = anvil.accounts as [Address]
  const contract = await anvil.deploy(plain721, ['Told', 'TLD', ''])
  await mint(anvil, contract, [1n], owner)
  await anvil.mine(30)
  await using server = await startTestServer({ rpc: [anvil.url] })
  await server.untilSynced(contract, await anvil.blockNumber())
  const [ofContract, ofWallet] = [`nft/${contract}`, `${owner}/nft`]
  const listeners: [string, TestListener][] = []
  for (const path of [ofContract, ofWallet])
    listeners.push([path, await listenTo(eventsOf(server, path), { key: testApiKey })])
  for (const [, { status }] of listeners) expect(status).toBe(200)

  await mint(anvil, contract, [10n, 11n, 12n], owner)
  for (const [path, listener] of listeners) await untilSame(server, path, listener, { ids: ['10', '11', '12'] })
  expect(listeners[0]![1].events).toHaveLength(3)

  await anvil.reorg(2, [[mintOf(contract, 20n, owner), 0]])
  await anvil.mine(1)
  for (const [path, listener] of listeners) {
    await vi.waitFor(() => expect(listener.events.filter(({ reverted }) => reverted).length).toBe(2), patienceMs)
    await untilSame(server, path, listener, { ids: ['10', '20'] })
  }

  // The listeners are disconnected while a block arrives, and while a block that they know is undone.
  for (const [, listener] of listeners) listener.close()
  await anvil.reorg(3, [[mintOf(contract, 30n, owner), 1]])
  await mint(anvil, contract, [31n], owner)
  for (const [path, before] of listeners) {
    const known = { id: before.id!, known: before.transfers }
    const listener = await listenTo(eventsOf(server, path), { key: testApiKey, ...known })
    await untilSame(server, path, listener, { ids: ['10', '30', '31'] })
    listener.close()
  }

  // A client that connects reads pages. These may show a block that is undone later.
  const late = await listenTo(eventsOf(server, ofContract), { key: testApiKey })
  const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  await anvil.reorg(1, [[mintOf(contract, 40n, owner), 0]])
  await anvil.mine(1)
  await vi.waitFor(() => expect(late.events).toHaveLength(2), patienceMs)
  expect(late.events).toMatchObject([
    { hash, reverted: true },
    { reverted: false, transfers: [{ token_id: '40' }] },
  ])
  late.close()

  const metrics = await (await server.get('/metrics')).text()
  expect(metrics).toMatch(/mintmark_events_sent_total\{kind="reverted"\} [4-9]/)
  await vi.waitFor(
    async () =>
      expect(await (await server.get('/metrics')).text()).toContain('mintmark_event_listeners{of="contract"} 0'),
    patienceMs,
  )
})

test('behavior: a thousand event listeners of one contract get the same events across a reorganisation, and end with the server', async () => {
  await using anvil = await startAnvil()
  const [owner] = anvil.accounts as [Address]
  const contract = await anvil.deploy(plain721, ['Many', 'MNY', ''])
  await mint(anvil, contract, [1n], owner)
  await anvil.mine(10)
  const server = await startTestServer({ rpc: [anvil.url] })
  await server.untilSynced(contract, await anvil.blockNumber())
  const path = `nft/${contract}`
  // The system queues only a few hundred connections that open at the same time.
  const listeners = await mapAtOnce(new Array(1_000).fill(path), 50, () =>
    listenTo(eventsOf(server, path), { key: testApiKey }),
  )
  await mint(anvil, contract, [10n, 11n], owner)
  await anvil.reorg(1, [[mintOf(contract, 20n, owner), 0]])
  await anvil.mine(1)
  await untilSame(server, path, listeners[0]!, { ids: ['10', '20'] })
  await vi.waitFor(() => {
    for (const { transfers } of listeners) expect(transfers).toEqual(listeners[0]!.transfers)
  }, patienceMs)
  await server.close()
  await Promise.all(listeners.map(({ done }) => done))
})
