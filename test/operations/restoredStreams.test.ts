// @module-tag system

import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { recountLedger } from '../../src/stream/ledger/recountLedger.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { runCommand } from '../commandLine.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { startTestServer } from '../mintmark.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { createStreamClient } from '../stream/streamServer.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

async function emptyDatabase(): Promise<TestDatabase> {
  const t = await createTestDatabase({ migrated: false })
  onTestFinished(() => t.drop())
  return t
}

const status = async ({ db }: TestDatabase) =>
  (await db.rows<[string, string, string]>('SELECT tag, status, status_message FROM stream ORDER BY tag')).map(
    ([tag, value, message]) => `${tag} ${value} ${message.replace(/\d{4}-.*Z/, 'TIME')}`.trim(),
  )

/** Starts a server whose streams watch everything on the chain. The receiver's responses decide which webhooks are pending. */
async function startStreams(anvil: Anvil, receiver: Receiver, database?: TestDatabase) {
  const server = await startTestServer({
    rpc: [anvil.url],
    config: {
      outbound: { allow: ['127.0.0.1'] },
      webhooks: {
        retryDelaysMs: Array.from({ length: 100 }, () => 300),
        minSuccessRate: 0,
        operationsUrl: `${receiver.url}/operations`,
      },
      chains: { local: { id: '0x7a69', rpc: [anvil.url], pollIntervalMs: 20, confirmations: 1 } },
    },
    ...(database && { database }),
  })
  const client = createStreamClient({ url: server.url, db: server.database.db, receiverUrl: `${receiver.url}/stream` })
  const mine = async () => {
    const { blockHash } = await anvil.sendRaw({ to: anvil.accounts[1]!, value: 1n })
    await client.untilFollowed(blockHash)
  }
  return { ...client, server, mine }
}

const numbers = (receiver: Receiver) =>
  new Set(
    receiver.received
      .filter(({ path }) => path === '/stream')
      .map(({ body }) => (JSON.parse(body) as { block: { number: string } }).block.number),
  )

test('default: a restored database sends no webhooks until its streams are set active, then sends all pending ones', async () => {
  await using anvil = await startAnvil()
  let isRejecting = false
  await using receiver = await startReceiver(() => (isRejecting ? 500 : 200))
  const original = await startStreams(anvil, receiver)
  const all = { includeNativeTxs: true, allAddresses: true, topic0: [] }
  const { id } = await original.create({ ...all, tag: 'sent' })
  const { id: other } = await original.create({ ...all, tag: 'standing' })
  await original.mine()
  await receiver.until(() => numbers(receiver).size >= 2)
  isRejecting = true
  await original.call('POST', `/streams/evm/${other}/status`, { status: 'paused' })
  await original.mine()
  await receiver.until(() => numbers(receiver).size >= 3)

  const file = join(await temporaryFolder(), 'backup')
  expect(await runCommand(['backup', file, '--database-url', original.server.database.url])).toMatchObject({ code: 0 })
  await original.server.close()
  const copy = await emptyDatabase()
  const { code, out, err } = await runCommand(['restore', file, '--database-url', copy.url, '--json'])
  expect([code, JSON.parse(out).streams]).toEqual([0, { active: 0, paused: 1 }])
  expect(err).toContain('1 streams are paused and send nothing')
  expect(await status(copy)).toEqual([
    'sent paused paused by the restore of a backup of TIME: set it active to send its pending webhooks',
    'standing paused',
  ])

  isRejecting = false
  receiver.received.length = 0
  const restored = await startStreams(anvil, receiver, copy)
  await anvil.sendRaw({ to: anvil.accounts[1]!, value: 1n })
  // Deliveries are running, so permitted webhooks would be sent immediately.
  const held = `SELECT count(*)::int FROM lease WHERE kind = 'delivery' AND worker_id IS NOT NULL`
  await expect.poll(() => copy.db.rows(held)).toEqual([[256]])
  await restored.call('GET', '/history?limit=10')
  expect(receiver.received).toEqual([])
  expect((await recountLedger(copy.db)).mismatches).toEqual([])
  await restored.call('POST', `/streams/evm/${id}/status`, { status: 'active' })
  const head = await anvil.blockNumber()
  await receiver.until(() => [head, head - 1n].every((number) => numbers(receiver).has(String(number))))
  await restored.mine()
  await expect
    .poll(async () => await copy.db.rows('SELECT count(*)::int FROM webhook_queue WHERE stream_id = $1', [id]))
    .toEqual([[0]])
  expect((await recountLedger(copy.db)).mismatches).toEqual([])
  await restored.server.close()
})

test('behavior: restore prompts at a terminal, and streams send only after a yes', async () => {
  await using anvil = await startAnvil()
  await using receiver = await startReceiver()
  const original = await startStreams(anvil, receiver)
  await original.create({ includeNativeTxs: true, allAddresses: true, topic0: [], tag: 'sent' })
  // The id of a running process other than the restoring one.
  await original.db.run('UPDATE worker SET pid = $1', [process.ppid])
  const file = join(await temporaryFolder(), 'backup')
  await runCommand(['backup', file, '--database-url', original.server.database.url])
  await original.server.close()

  for (const [answer, expected] of [
    ['yes\n', ['sent active']],
    ['\n', ['sent paused paused by the restore of a backup of TIME: set it active to send its pending webhooks']],
  ] as const) {
    const copy = await emptyDatabase()
    const stdin = Object.assign(new PassThrough(), { isTTY: true })
    stdin.end(answer)
    const { err } = await runCommand(['restore', file, '--database-url', copy.url], undefined, stdin)
    expect(err).toContain('Is the original stopped permanently, and should the streams send? [y/N]')
    expect(err).toContain(`Process ${process.ppid} on this machine may be the original.`)
    expect(await status(copy)).toEqual(expected)
  }
  for (const [options, expected] of [
    [['--active'], 'active'],
    [['--paused'], 'paused'],
  ] as const) {
    const copy = await emptyDatabase()
    const stdin = Object.assign(new PassThrough(), { isTTY: true })
    const { err } = await runCommand(['restore', file, '--database-url', copy.url, ...options], undefined, stdin)
    expect(err).not.toContain('[y/N]')
    expect((await status(copy))[0]).toContain(`sent ${expected}`)
  }
  const both = await runCommand(['restore', file, '--data', '/nowhere', '--active', '--paused'])
  expect(both).toMatchObject({ code: 1, err: expect.stringContaining('--paused and --active cannot be combined') })
})
