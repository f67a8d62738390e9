// @module-tag system

import { expect, test } from 'vitest'
import { startAnvil } from './anvil.ts'
import { runCommand } from './commandLine.ts'
import { plain721 } from './contracts/artifacts/plain721.ts'
import { startStreamServer } from './stream/streamServer.ts'

test('behavior: a running server reads nothing of a paused chain, for collections and streams, until the chain is resumed', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 1 })
  const first = await anvil.deploy(plain721, ['First', 'FST', ''])
  const second = await anvil.deploy(plain721, ['Second', 'SND', ''])
  const mint = (to: typeof first, id: bigint) =>
    anvil.send({ to, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[1]!, id] })
  await mint(first, 1n)
  await mint(second, 1n)
  await anvil.mine(40)
  await using streams = await startStreamServer(anvil.url)
  const { server, db } = streams
  const chains = (...args: string[]) => runCommand(['chains', ...args, '--database-url', server.database.url])
  const { id } = await streams.create({ includeContractLogs: true })
  await streams.add(id, first)
  await server.untilSynced(first)
  const state = async () =>
    (
      await db.rows<[bigint, string, bigint]>(
        `SELECT (SELECT block_number FROM chain), (SELECT string_agg(status, ' ' ORDER BY id) FROM collection), (SELECT count(*) FROM webhook)`,
      )
    )[0]!
  /** Each heartbeat of a process reads which chains are paused. */
  async function heartbeats(count: number): Promise<void> {
    for (let i = 0; i < count; i++) {
      const beat = async () =>
        String((await db.rows('SELECT heartbeat_at::text FROM worker WHERE takes ? $1', ['chain']))[0])
      const before = await beat()
      await expect.poll(beat).not.toBe(before)
    }
  }

  expect(await chains('pause', '0x7a69')).toEqual({
    code: 0,
    out: 'local is paused: 1 collection and 1 stream stop until "mintmark chains resume local"\n',
    err: '',
  })
  await heartbeats(3)
  const [block] = await state()
  await mint(first, 2n)
  await server.page(second)
  await heartbeats(2)
  expect(await state()).toEqual([block, 'live queued', 0n])
  const { out } = await chains('list')
  expect(out).toMatch(/^local +0x7a69 +\d+ +\d+ +\d+ s ago +2 +1 +paused since 20.*chains resume/m)
  expect((await runCommand(['status', '--database-url', server.database.url])).out).toMatch(/^local .*paused since/m)
  expect((await chains('pause', 'local')).out).toContain('local was already paused')

  expect((await chains('resume', 'local')).out).toBe('local is resumed\n')
  await server.untilSynced(first, await anvil.blockNumber())
  await server.untilSynced(second, await anvil.blockNumber())
  expect((await server.walk(first)).map(({ token_id }) => token_id).sort()).toEqual(['1', '2'])
  await expect.poll(async () => (await state())[2]).toBeGreaterThan(0n)
  expect(JSON.parse((await chains('resume', 'local', '--json')).out)).toEqual({
    chain: 'local',
    paused: false,
    changed: false,
  })
  expect(JSON.parse((await chains('list', '--json')).out).chains).toContainEqual(
    expect.objectContaining({
      chain: 'local',
      id: '0x7a69',
      pausedAt: null,
      collections: '2',
      streams: '1',
      failure: null,
    }),
  )
})

test('error: a reset requires confirmation, and a reset of a chain without data reports that', async () => {
  await using anvil = await startAnvil()
  await using streams = await startStreamServer(anvil.url)
  const { url } = streams.server.database
  const reset = (...args: string[]) => runCommand(['chains', 'reset', ...args, '--database-url', url])
  expect((await reset('polygon', '--yes')).err).toContain('there is no data of polygon')
  await streams.create({ includeNativeTxs: true, allAddresses: true, includeContractLogs: true })
  // An address without a contract is not queued again.
  await streams.server.database.db.run(
    `INSERT INTO collection (partition, chain_id, address, status) VALUES (0, 31337, '\\x${'00'.repeat(20)}', 'nocode')`,
  )
  const again = '0 collections, 0 wallets and 1 stream start again at its first block'
  const rejected = await reset('local')
  expect(rejected).toMatchObject({ code: 1, out: '' })
  expect(rejected.err).toContain(`all data of local is removed: ${again}: add --yes`)
  expect((await reset('local', '--yes')).out).toBe(`local is reset: ${again}\n`)
})
