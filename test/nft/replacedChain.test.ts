// @module-tag system

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { runCommand } from '../commandLine.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { type NftRecord, startTestServer, type TestServer } from '../mintmark.ts'
import { Cut, createRpcServer, RpcFailure } from '../rpcServer.ts'
import { startStreamServer } from '../stream/streamServer.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { expectAnswers, untilSynced, walk } from './wholeTruth.ts'

const wholeChain = { chains: { local: { wallets: 'chain' } } } as const

/** The first contract of an account has the same address on every chain. */
async function mintOn(anvil: Anvil, ids: readonly bigint[], blocks: number, name = 'Plain') {
  const contract = await anvil.deploy(plain721, [name, 'PLN', ''])
  for (const id of ids)
    await anvil.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[1]!, id] })
  await anvil.mine(blocks - Number(await anvil.blockNumber()))
  return contract
}

async function reported(server: TestServer, contract: Parameters<TestServer['page']>[0]) {
  const { body, headers } = await server.page(contract)
  const failure = headers.get('x-index-failure') ?? ''
  return { status: body.status, ids: body.result.map(({ token_id }) => token_id).sort(), failure }
}

async function commandsOn(
  server: TestServer,
  rpc: string,
): Promise<(...args: string[]) => ReturnType<typeof runCommand>> {
  const config = join(await temporaryFolder(), 'mintmark.config.json')
  const chains = { local: { id: '0x7a69', rpc: [rpc] } }
  await writeFile(config, JSON.stringify({ databaseUrl: server.database.url, chains }))
  return (...args) => runCommand([...args, '--config', config])
}

/**
 * The final report. Before it, there may be one that the head went back, or the node's error.
 * Chains that start within one second have the same block 0.
 */
const otherChain = /serves another chain: its block \d+ is 0x.*"mintmark chains reset local"/s

test.each([
  ['fewer', 'local', 12],
  ['more', '0x7A69', 90],
])(
  'behavior: a restarted development chain with %s blocks than before is reported, and is reset by chains reset %s',
  async (_, name, blocks) => {
    const first = await startAnvil({ slotsInAnEpoch: 1 })
    const port = Number(new URL(first.url).port)
    // The contract is in block 2 here, and in block 1 of the other chain. Otherwise, chains that start within one second share block 1, too.
    await first.mine(1)
    const contract = await mintOn(first, [1n, 2n], 40)
    await using streams = await startStreamServer(first.url)
    const { server } = streams
    const { id } = await streams.create({ includeContractLogs: true })
    await streams.add(id, contract)
    await server.untilSynced(contract, 40n)
    await first.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [first.accounts[1]!, 3n] })
    await server.untilSynced(contract, 41n)
    const matched = async () => {
      const rows = await streams.db.rows<[string, bigint]>(
        `SELECT DISTINCT encode(block_hash, 'hex'), block_number FROM webhook WHERE kind <> 'retraction' ORDER BY 2`,
      )
      return rows.map(([, number]) => Number(number))
    }
    await expect.poll(matched).toEqual([41])
    await first.stop()

    await using again = await startAnvil({ slotsInAnEpoch: 1, port })
    expect(await mintOn(again, [7n], blocks)).toBe(contract)
    await expect
      .poll(() => reported(server, contract))
      .toMatchObject({ status: 'SYNCING', failure: expect.stringMatching(otherChain) })
    expect((await reported(server, contract)).ids).toEqual(['1', '2', '3'])

    const command = await commandsOn(server, again.url)
    expect((await command('status')).out).toMatch(
      /^local .*serves another chain: its block \d+ is .*chains reset local/m,
    )
    const reset = await command('chains', 'reset', name, '--yes')
    expect(reset).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 collection, 0 wallets and 1 stream start again'),
    })
    await server.untilSynced(contract, BigInt(blocks))
    expect(await reported(server, contract)).toEqual({ status: 'SYNCED', ids: ['7'], failure: '' })
    // Matches of the previous chain are kept, and the new chain is matched from its first block on.
    await expect.poll(matched).toEqual([2, 41])
  },
)

test('behavior: a node that temporarily serves another chain is reported, its data is not stored, and following continues afterwards', async () => {
  await using right = await startAnvil({ slotsInAnEpoch: 1 })
  await using wrong = await startAnvil({ slotsInAnEpoch: 1, args: ['--timestamp', '1600000000'] })
  const contract = await mintOn(right, [1n, 2n], 30)
  await mintOn(wrong, [8n, 9n], 60)
  let behind = right
  await using provider = await createRpcServer(async ({ method, params }) =>
    behind.rpc(method, params).catch((error: Error) => new RpcFailure(-32000, error.message)),
  )
  await using server = await startTestServer({ rpc: [provider.url] })
  await server.untilSynced(contract, 30n)

  behind = wrong
  await expect
    .poll(() => reported(server, contract))
    .toMatchObject({ status: 'SYNCING', failure: expect.stringContaining('serves another chain') })
  behind = right
  await right.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [right.accounts[1]!, 3n] })
  await server.untilSynced(contract, 31n)
  expect(await reported(server, contract)).toEqual({ status: 'SYNCED', ids: ['1', '2', '3'], failure: '' })
})

test('behavior: another chain that a request detects before the follower is reported with the reset command, and following continues afterwards', async () => {
  await using right = await startAnvil({ slotsInAnEpoch: 1 })
  await using wrong = await startAnvil({ slotsInAnEpoch: 1, args: ['--timestamp', '1600000000'] })
  const contract = await mintOn(right, [1n], 30)
  let behind = right
  let cuts = 0
  await using provider = await createRpcServer(async ({ method, params }) => {
    if (cuts > 0) {
      cuts--
      behind = wrong
      return new Cut()
    }
    return behind.rpc(method, params).catch((error: Error) => new RpcFailure(-32000, error.message))
  })
  const heads = () => provider.calls('eth_getBlockByNumber').filter(({ params }) => params[0] === 'latest').length
  await using server = await startTestServer({
    rpc: [provider.url],
    config: { chains: { local: { pollIntervalMs: 2_000 } } },
  })
  await server.untilSynced(contract, 30n)

  // Right after a request of the follower, so that the next request concerns the other contract.
  const before = heads()
  await expect.poll(heads).toBeGreaterThan(before)
  cuts = 1
  await server.page('0x00000000000000000000000000000000000000bb')
  await expect
    .poll(() => reported(server, contract))
    .toMatchObject({ status: 'SYNCING', failure: expect.stringContaining('"mintmark chains reset local"') })
  behind = right
  await server.untilSynced(contract, 30n)
})

test('behavior: whole-chain wallets of a restarted chain are reported, and a reset reindexes them with the new contract names', async () => {
  const first = await startAnvil({ slotsInAnEpoch: 1 })
  const port = Number(new URL(first.url).port)
  await first.mine(1)
  const contract = await mintOn(first, [1n, 2n], 40, 'First')
  const [empty, wallet] = first.accounts as [Address, Address]
  await using server = await startTestServer({ rpc: [first.url], config: wholeChain })
  for (const one of [empty, wallet]) await untilSynced(first, server, one)
  const shown = async () =>
    (await walk<NftRecord>(server, wallet, 'nft')).records.map(({ token_id, name }) => [token_id, name]).toSorted()
  await expect.poll(shown).toEqual([
    ['1', 'First'],
    ['2', 'First'],
  ])
  await first.stop()

  await using again = await startAnvil({ slotsInAnEpoch: 1, port })
  expect(await mintOn(again, [7n], 90, 'Second')).toBe(contract)
  const failure = async () => {
    const { headers, status } = await walk(server, wallet, 'nft')
    return [status, headers.get('x-index-failure')]
  }
  await expect.poll(failure).toEqual(['SYNCING', expect.stringMatching(otherChain)])
  expect((await shown()).map(([id]) => id)).toEqual(['1', '2'])

  const command = await commandsOn(server, again.url)
  const reset = await command('chains', 'reset', 'local', '--yes')
  expect(reset).toMatchObject({ code: 0, out: expect.stringContaining(' 2 wallets and ') })
  await expectAnswers(again, server, { erc721: [contract], erc1155: [] }, [wallet, empty])
  await expect.poll(shown).toEqual([['7', 'Second']])
  const known = `SELECT '0x' || encode(address, 'hex'), status FROM collection`
  expect(await server.database.db.rows(known)).toEqual([[contract, 'known']])
})

test('behavior: while a node serves another chain, nothing is stored for whole-chain wallets, and following continues afterwards', async () => {
  await using right = await startAnvil({ slotsInAnEpoch: 1 })
  await using wrong = await startAnvil({ slotsInAnEpoch: 1, args: ['--timestamp', '1600000000'] })
  const contract = await mintOn(right, [1n, 2n], 30)
  await mintOn(wrong, [8n, 9n], 60)
  let behind = right
  await using provider = await createRpcServer(async ({ method, params }) =>
    behind.rpc(method, params).catch((error: Error) => new RpcFailure(-32000, error.message)),
  )
  await using server = await startTestServer({ rpc: [provider.url], config: wholeChain })
  const [later, wallet] = right.accounts as [Address, Address]
  await untilSynced(right, server, wallet)

  behind = wrong
  const failures = async () => {
    const answers = await Promise.all([wallet, later].map((one) => walk(server, one, 'nft')))
    return answers.map(({ headers, status }) => [status, headers.get('x-index-failure')])
  }
  const other = ['SYNCING', expect.stringContaining('serves another chain')]
  await expect.poll(failures).toEqual([other, other])
  behind = right
  await right.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [wallet, 3n] })
  await expectAnswers(right, server, { erc721: [contract], erc1155: [] }, [wallet, later])
})
