// @module-tag system

import { execFile } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, inject, onTestFinished, test } from 'vitest'
import { parseConfig } from '../../src/config/config.ts'
import { createService } from '../../src/service.ts'
import { noopLog } from '../../src/util/log.ts'
import { runCommand } from '../commandLine.ts'
import { createTestDatabase } from '../database.ts'
import { testApiKey } from '../mintmark.ts'
import { mountDisk } from '../mountDisk.ts'
import { onServer } from '../onServer.ts'
import { seedHolders } from '../seedHolders.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const run = promisify(execFile)

/** Writes until not a single byte more fits. */
function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (const size of [1_048_576, 4_096, 1])
      for (let full = false; !full; )
        try {
          writeSync(file, Buffer.alloc(size, 1))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
          full = true
        }
  } finally {
    closeSync(file)
  }
}

function clientOf(url: string) {
  const request = (path: string) => fetch(url + path, { headers: { 'x-api-key': testApiKey } })
  return {
    request,
    /** The first request for a contract writes a row. */
    order: (i: number) => request(`/api/v2/nft/0x${i.toString(16).padStart(40, '0')}`),
    async waitingFor() {
      const body = (await (await request('/ready')).json()) as { details?: { waitingFor: string[] } }
      return body.details?.waitingFor ?? []
    },
    metric: async () =>
      /^mintmark_disk_write_failed\{disk="database"\} (\d)$/m.exec(await (await request('/metrics')).text())?.[1],
  }
}

const noDisk = 'only root may mount a disk to fill'

test('error: responses, /ready, metrics and status report a full disk until there is space again', async (context) => {
  const disk = await temporaryFolder()
  if (!(await mountDisk(disk, 400))) return context.skip(noDisk)
  const dataDir = join(disk, 'data')
  mkdirSync(dataDir)
  const config = parseConfig({ port: 0, apiKey: testApiKey, dataDir, chains: { eth: { rpc: ['http://127.0.0.1:1'] } } })
  const service = await createService({ config, log: noopLog })
  onTestFinished(service.close)
  const { request, order, waitingFor, metric } = clientOf(service.url)
  expect(await waitingFor()).not.toContain('the disk of the database is full')

  const filler = join(disk, 'filler')
  fill(filler)
  await expect.poll(waitingFor).toContain('the disk of the database is full')
  expect(await metric()).toBe('1')
  expect((await request('/ready')).status).toBe(503)
  const { out, err } = await runCommand(['status', '--data', dataDir])
  // PostgreSQL rejects a connection if it has to rewrite its relation cache file, which happens occasionally.
  expect(out || err).toMatch(
    /^writes fail: the disk of the database is full$|^mintmark: could not write init file: No space left on device: free disk space$/m,
  )
  // Small writes fit into existing files until these are full.
  let rejected: Response | undefined
  for (let i = 0; i < 500 && rejected?.status !== 503; i++) rejected = await order(i)
  expect(rejected!.status).toBe(503)
  expect(Number(rejected!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
  expect(await rejected!.json()).toMatchObject({ message: expect.stringContaining('the disk of the database is full') })
  // Stored data is still served.
  expect((await request('/streams/evm?limit=1')).status).toBe(200)

  rmSync(filler)
  await expect.poll(waitingFor).not.toContain('the disk of the database is full')
  expect(await metric()).toBe('0')
  expect((await order(1_000)).status).toBe(200)
})

test('error: responses, /ready, metrics and status report a read-only database until it accepts writes', async () => {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const dataDir = await temporaryFolder()
  const chains = { eth: { rpc: ['http://127.0.0.1:1'] } }
  const config = parseConfig({ port: 0, apiKey: testApiKey, dataDir, databaseUrl: database.url, chains })
  const service = await createService({ config, log: noopLog })
  onTestFinished(service.close)
  const { request, order, waitingFor, metric } = clientOf(service.url)
  /** For new sessions, after the end of all current ones. */
  const set = (readOnly: string) =>
    onServer(
      inject('postgres').connection,
      `ALTER DATABASE ${database.connection.database} ${readOnly}`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database.connection.database}'`,
    )

  const listed = async () => (await request('/streams/evm?limit=1')).status
  // The first list writes the secret of cursors.
  await expect.poll(listed).toBe(200)
  await set('SET default_transaction_read_only = on')
  await expect.poll(waitingFor).toContain('the database is read-only')
  expect(await metric()).toBe('1')
  const retryAfter = async () => (await order(1)).headers.get('retry-after')
  await expect.poll(retryAfter).toBe('30')
  await expect.poll(listed).toBe(200)
  const { code, out } = await runCommand(['status', '--data', dataDir, '--database-url', database.url])
  expect([code, out]).toEqual([0, expect.stringMatching(/^writes fail: the database is read-only$/m)])

  await set('RESET default_transaction_read_only')
  await expect.poll(waitingFor).not.toContain('the database is read-only')
  expect(await metric()).toBe('0')
  await expect.poll(async () => (await order(2)).status).toBe(200)
})

test('error: a snapshot without disk space returns 503, leaves no file, and is generated once there is space', async (context) => {
  const dataDir = await temporaryFolder()
  if (!(await mountDisk(dataDir, 3))) return context.skip(noDisk)
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const { address, csv, root } = await seedHolders(database.db)
  const chains = { eth: { rpc: ['http://127.0.0.1:1'] } }
  const config = { port: 0, role: 'api' as const, apiKey: testApiKey, dataDir, databaseUrl: database.url, chains }
  const service = await createService({ config: parseConfig(config), log: noopLog })
  onTestFinished(service.close)
  const request = (block: number) =>
    fetch(`${service.url}/api/v2/nft/${address}/snapshot?as_of_block=${block}`, {
      headers: { 'x-api-key': testApiKey },
    })
  const filler = join(dataDir, 'filler')
  const rejected = async () => {
    const answer = await request(300)
    expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toEqual([
      ...[503, '30'],
      { message: 'the disk of dataDir is full; retry when that is fixed', statusCode: 503 },
    ])
    expect(readdirSync(join(dataDir, 'files'))).toEqual([])
  }

  // The disk becomes full in the middle of the file.
  await rejected()
  await run('mount', ['-o', 'remount,size=64m', dataDir])
  const answer = await request(300)
  expect([answer.status, answer.headers.get('x-snapshot-root'), (await answer.text()) === csv]).toEqual([
    200,
    root,
    true,
  ])
  // If the disk is full afterwards, the file may be removed, but running downloads still finish.
  const kept = await request(300)
  fill(filler)
  expect((await kept.text()) === csv).toBe(true)
})

test('error: generated files leave the disk reserve to the database, and are deleted first when space is short', async (context) => {
  const dataDir = await temporaryFolder()
  if (!(await mountDisk(dataDir, 64))) return context.skip(noDisk)
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const { address } = await seedHolders(database.db)
  const chains = { eth: { rpc: ['http://127.0.0.1:1'] } }
  const config = { port: 0, role: 'api' as const, apiKey: testApiKey, dataDir, databaseUrl: database.url, chains }
  const service = await createService({ config: parseConfig(config), log: noopLog })
  onTestFinished(service.close)
  const request = async (block: number) => {
    const answer = await fetch(`${service.url}/api/v2/nft/${address}/snapshot?as_of_block=${block}`, {
      headers: { 'x-api-key': testApiKey },
    })
    return { status: answer.status, after: answer.headers.get('retry-after'), text: await answer.text() }
  }
  const free = () => {
    const { bavail, bsize } = statfsSync(dataDir)
    return bavail * bsize
  }
  const page = 4_096
  const reserve = Math.ceil((64 * 1_048_576 * 0.1) / page) * page
  const files = () => readdirSync(join(dataDir, 'files'))
  const filler = join(dataDir, 'filler')
  const leaveFree = (bytes: number) => {
    fill(filler)
    truncateSync(filler, statSync(filler).size - Math.ceil(bytes / page) * page)
  }

  expect((await request(300)).status).toBe(200)
  const [kept] = files()
  const { size } = statSync(join(dataDir, 'files', kept!))
  // Something else fills the disk: kept files are deleted as needed.
  leaveFree(reserve / 2)
  await expect.poll(files).toEqual([])
  expect(free()).toBeGreaterThan(reserve)
  // A file that would use the reserve is aborted before, whichever block is requested.
  leaveFree(reserve + size / 2)
  for (const block of [300, 301, 302]) {
    expect(await request(block)).toEqual({
      ...{ status: 503, after: '30' },
      text: expect.stringContaining('no space beside the reserve for the database'),
    })
    expect(files()).toEqual([])
    expect(free()).toBeGreaterThan(reserve - 1_048_576)
  }
  // Without the reserve, no file begins, but the server remains healthy.
  leaveFree(reserve / 2)
  expect(await request(303)).toMatchObject({ status: 503, after: '30' })
  expect((await fetch(`${service.url}/health`)).status).toBe(200)
  rmSync(filler)
  await expect.poll(async () => (await request(303)).status).toBe(200)
})

test('error: a command without disk space leaves neither file nor facts, and writes both once there is space', async (context) => {
  const disk = await temporaryFolder()
  if (!(await mountDisk(disk, 16))) return context.skip(noDisk)
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const { address, csv, root } = await seedHolders(database.db)
  const filler = join(disk, 'filler')
  fill(filler)
  // Exactly enough space for the rows, up to the last page.
  const page = 4_096
  truncateSync(filler, statSync(filler).size - Math.ceil(csv.length / page) * page)
  const out = join(disk, 'holders.csv')
  const snapshot = () =>
    runCommand(['snapshot', 'eth', address, '--at', '300', '--out', out, '--json', '--database-url', database.url])
  const rejected = await snapshot()
  expect([rejected.code, rejected.err]).toEqual([1, expect.stringContaining('ENOSPC')])
  expect(readdirSync(disk)).toEqual(['filler'])
  rmSync(filler)
  const written = await snapshot()
  expect([written.code, JSON.parse(written.out).root]).toEqual([0, root])
  expect(readdirSync(disk).sort()).toEqual(['holders.csv', 'holders.csv.json'])
})
