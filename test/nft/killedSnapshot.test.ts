// @module-tag system

import { once } from 'node:events'
import { truncateSync } from 'node:fs'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { factsBytes } from '../../src/nft/files/madeFile.ts'
import { createTestDatabase, type TestDatabase } from '../database.ts'
import { testApiKey } from '../mintmark.ts'
import { patience } from '../patience.ts'
import { type SeededHolders, seedHolders } from '../seedHolders.ts'
import { killProcess, startServiceProcess } from '../serviceProcess.ts'
import { temporaryDataFolder } from '../temporaryFolder.ts'

const headers = { 'x-api-key': testApiKey }

let database: TestDatabase
let holders: SeededHolders
beforeAll(async () => {
  database = await createTestDatabase()
  holders = await seedHolders(database.db)
})
afterAll(() => database.drop())

/** Returns functions that start and kill a server of a seeded collection. */
async function openServer() {
  const dataDir = await temporaryDataFolder()
  const configFile = join(dataDir, 'mintmark.config.json')
  const config = { port: 0, role: 'api', apiKey: testApiKey, dataDir, databaseUrl: database.url }
  await writeFile(configFile, JSON.stringify({ ...config, chains: { eth: { rpc: ['http://127.0.0.1:1'] } } }))
  const folder = join(dataDir, 'files')
  return {
    folder,
    files: () => readdir(folder).catch(() => [] as string[]),
    start: () => startServiceProcess(configFile),
    target: (block: number) => `/api/v2/nft/${holders.address}/snapshot?as_of_block=${block}`,
  }
}

async function expectWhole(url: string, target: string): Promise<void> {
  const { csv, root } = holders
  const answer = await fetch(url + target, { headers })
  expect([answer.status, answer.headers.get('x-snapshot-root')]).toEqual([200, root])
  expect((await answer.text()) === csv).toBe(true)
}

/** Requests the snapshot on a connection that has served another request, and reads only its beginning. */
async function beginReading(url: string, target: string): Promise<{ answer: IncomingMessage; close(): void }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const query = async (path: string) => {
    const request = get(url + path, { agent, headers })
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    return { request, answer }
  }
  await text((await query('/health')).answer)
  const { request, answer } = await query(target)
  expect(request.reusedSocket).toBe(true)
  await once(answer, 'readable')
  return { answer, close: () => agent.destroy() }
}

/** Reads the rest of a response that is aborted before its end. */
async function readCut(answer: IncomingMessage): Promise<string> {
  let got = ''
  const reading = (async () => {
    for await (const part of answer.setEncoding('utf8')) got += part
  })()
  await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' })
  return got
}

const isHalf = async (path: string) => ((await stat(path).catch(() => undefined))?.size ?? 0) > factsBytes

test('behavior: a snapshot interrupted by a kill is generated completely by the next server, without leftover files', async () => {
  const { folder, files, start, target } = await openServer()
  /** Kills a server in the middle of a file. Returns undefined if the file was complete before that. */
  async function killedAt(block: number): Promise<string | undefined> {
    const { child, url } = await start()
    const failed = fetch(url + target(block), { headers }).then((answer) => answer.text())
    failed.catch(() => undefined)
    for (;;) {
      const name = (await files()).find((each) => each.includes(block.toString(16).padStart(64, '0')))
      if (name?.endsWith('.tmp') === false) break
      if (name !== undefined && (await isHalf(join(folder, name)))) break
    }
    await killProcess(child)
    if (!(await files()).some((name) => name.endsWith('.tmp'))) return undefined
    await expect(failed).rejects.toThrow()
    return target(block)
  }
  let cut: string | undefined
  for (let block = 300; cut === undefined; block++) cut = await killedAt(block)

  const { url } = await start()
  await expectWhole(url, cut)
  expect((await files()).filter((name) => name.endsWith('.tmp'))).toEqual([])
})

test('behavior: a kill while a snapshot is sent truncates the response, and the next server sends the whole file', async () => {
  const { files, start, target } = await openServer()
  const killed = await start()
  const { answer, close } = await beginReading(killed.url, target(300))
  onTestFinished(close)
  await killProcess(killed.child)
  const got = await readCut(answer)
  expect([answer.complete, holders.csv.startsWith(got), got.length < holders.csv.length]).toEqual([false, true, true])
  const kept = await files()

  const { url } = await start()
  await expectWhole(url, target(300))
  expect(await files()).toEqual(kept)
  expect(kept).toHaveLength(1)
})

test('error: a stored file that is truncated while it is sent aborts the response, and is generated again', async () => {
  const { folder, files, start, target } = await openServer()
  const { child, url } = await start()
  let output = ''
  child.stderr!.on('data', (text: string) => {
    output += text
  })
  const { answer, close } = await beginReading(url, target(300))
  onTestFinished(close)
  const [name] = await files()
  // Removes the last bytes. The server must not append anything that could replace them.
  truncateSync(join(folder, name!), factsBytes + holders.csv.length - 20)
  const got = await readCut(answer)
  expect([answer.complete, holders.csv.startsWith(got)]).toEqual([false, true])
  await expect.poll(() => output, patience).toMatch(/response aborted.*\n$/)
  // The output contains only log lines.
  const lines = output.trimEnd().split('\n')
  const [{ requestId, err }] = lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'response aborted')
  expect(requestId).toBe(answer.headers['x-request-id'])
  expect(err.message).toMatch(/^the file has \d+ of its \d+ bytes$/)

  await expectWhole(url, target(300))
})
