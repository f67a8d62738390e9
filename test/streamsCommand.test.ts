import { afterAll, beforeAll, expect, test } from 'vitest'
import { enqueueWebhooks } from '../src/stream/ledger/enqueueWebhooks.ts'
import { retractWebhooks } from '../src/stream/ledger/retractWebhooks.ts'
import { insertChain } from '../src/sync/chainStore.ts'
import { runCommand } from './commandLine.ts'
import { startTestServer, type TestServer } from './mintmark.ts'
import { type Received, type Receiver, startReceiver } from './receiver.ts'
import { chainId, insertStreams, type TestStream, testWebhooks } from './stream/streams.ts'

let server: TestServer
let receiver: Receiver
let url: string[]
const unknown = '00000000-0000-4000-8000-000000000000'

beforeAll(async () => {
  receiver = await startReceiver()
  // Test deliveries need no node.
  server = await startTestServer({ rpc: ['http://127.0.0.1:1'], config: { outbound: { allow: ['127.0.0.1'] } } })
  url = ['--database-url', server.database.url]
})
afterAll(async () => {
  await server.close()
  await receiver.close()
})

const streams = (...args: string[]) => runCommand(['streams', ...args, ...url])
const json = async (...args: string[]) => JSON.parse((await streams(...args, '--json')).out)
const newStreams = (...paths: string[]) =>
  insertStreams(
    server.database.db,
    paths.map((path) => receiver.url + path),
  )
const enqueue = (...to: TestStream[]) =>
  server.database.db.transaction((tx) =>
    enqueueWebhooks(
      tx,
      to.flatMap((stream) => testWebhooks(stream, 1, 3)),
    ),
  )
const at = (path: string) => (received: readonly Received[]) => received.filter((r) => r.path === path).length
const untilSent = (path: string) => receiver.until((received) => at(path)(received) === 3)

test('behavior: a running server sends no webhooks of a paused stream, and sends all of them after a resume', async () => {
  const [kept, other] = await newStreams('/kept', '/other')
  const paused = await streams('pause', kept!.id)
  expect(paused).toMatchObject({ code: 0, err: '' })
  expect(paused.out).toContain(`stream ${kept!.id}: paused; 0 webhooks are pending`)
  await enqueue(kept!, other!)
  await untilSent('/other')
  expect(at('/kept')(receiver.received)).toBe(0)
  expect(await json('show', kept!.id)).toMatchObject({ status: 'paused', webhooksOwed: 3, webhookSecret: '***' })
  const history = await json('history', kept!.id, '--status', 'pending')
  expect(history).toMatchObject({ total: 3, more: false, webhooks: [{ status: 'pending' }, {}, {}] })

  expect((await streams('resume', kept!.id)).out).toContain(`stream ${kept!.id}: active; 3 webhooks are sent now`)
  await untilSent('/kept')
  await expect.poll(() => json('history', kept!.id, '--status', 'delivered')).toMatchObject({ total: 3 })
  const shown = await streams('history', kept!.id, '--limit', '2')
  expect(shown.out).toMatch(/ local +3 +unconfirmed +delivered +0 +-$/m)
  expect(shown.err).toContain('2 of 3')
  expect((await streams('show', kept!.id)).out).toContain('3 webhooks delivered, 0 attempts failed, 0 webhooks pending')
})

test('behavior: streams show prints the first block of a stream that has not started yet', async () => {
  const [early, late] = await newStreams('/early', '/late')
  await insertChain(server.database.db, chainId, '0x00', 7n, 7n)
  await server.database.db.run('UPDATE chain SET block_number = 7 WHERE id = $1', [chainId])
  for (const [stream, block] of [
    [early!, 8n],
    [late!, 9n],
  ] as const)
    await server.database.db.run(
      `INSERT INTO stream_chain (partition, stream_id, chain_id, state, from_block, next_block) VALUES ($1, $2, $3, 'paused', $4, $4)`,
      [stream.partition, stream.id, chainId, block],
    )
  expect((await streams('show', early!.id)).out).not.toContain('will start')
  expect((await streams('show', late!.id)).out).toContain('\nlocal: will start at block 9\n')
  expect(await json('show', late!.id)).toMatchObject({ startBlocks: { '0x7a69': '9' } })
})

test('behavior: deleting a stream drops its pending webhooks and keeps its history', async () => {
  const [removed] = await newStreams('/gone')
  await streams('pause', removed!.id)
  await enqueue(removed!)
  const rejected = await streams('delete', removed!.id)
  expect(rejected).toMatchObject({ code: 1, out: '' })
  expect(rejected.err).toMatch(
    /^mintmark: stream .+ is deleted, with 0 addresses and 3 pending webhooks: add --yes[^\n]+\n$/,
  )
  expect((await streams('delete', removed!.id, '--yes')).out).toBe(
    `stream ${removed!.id} is deleted: 0 addresses, 3 webhooks dropped\n`,
  )
  expect(await json('history', removed!.id)).toMatchObject({ total: 3, webhooks: [{ status: 'dropped' }, {}, {}] })
  expect((await streams('show', removed!.id)).err).toContain(`there is no stream ${removed!.id}`)
})

test('behavior: the history of webhooks distinguishes retractions', async () => {
  const [stream] = await newStreams('/retracted')
  await streams('pause', stream!.id)
  await enqueue(stream!)
  const [, last] = testWebhooks(stream!, 2, 3)
  await server.database.db.transaction((tx) => retractWebhooks(tx, chainId, [[last!.blockNumber, last!.blockHash]]))
  const { out } = await streams('history', stream!.id)
  expect(out).toMatch(/ 3 +retraction +pending .*\n.* 3 +unconfirmed +dropped .*\n.* 2 +unconfirmed +pending /)
})

test('default: streams list shows the streams without their secrets', async () => {
  const [first, second] = await newStreams('/a', '/b')
  await streams('pause', second!.id)
  const { out } = await streams('list')
  expect(out).toMatch(new RegExp(`^${first!.id} +active +local +0 +tag 0 +http://127.*/a$`, 'm'))
  const { streams: paused } = await json('list', '--status', 'paused')
  expect(paused.map(({ id }: { id: string }) => id)).toContain(second!.id)
  expect(
    paused.every((s: { status: string; webhookSecret: string }) => s.status === 'paused' && s.webhookSecret === '***'),
  ).toBe(true)
  expect(await json('list', '--limit', '1')).toMatchObject({ more: true, streams: [{}] })
})

test.each([
  [['show', unknown], 1, `mintmark: there is no stream ${unknown}: see "mintmark streams list"\n`],
  [['history', unknown], 1, `there is no stream ${unknown}`],
  [['delete', unknown, '--yes'], 1, `there is no stream ${unknown}`],
  [['pause', 'mine'], 2, 'It must be the id of a stream'],
  [['resume', unknown, '--from', 'then'], 2, 'Allowed choices'],
])('error: streams %s fails with a message', async (args, code, message) => {
  const result = await streams(...args)
  expect(result).toMatchObject({ code, out: '' })
  expect(result.err).toContain(message)
})
