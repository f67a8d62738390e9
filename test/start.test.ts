// @module-tag system

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDir } from '../src/db/embedded/dataDirLock.ts'
import { commandEnv } from './commandEnv.ts'
import { freePort } from './freePort.ts'
import { newCluster } from './newCluster.ts'
import { builtProgram } from './program.ts'
import { scratchFolder } from './scratchFolder.ts'

const main = await builtProgram()
const address = `0x${'ab'.repeat(20)}`
let folder: string
let children: ChildProcess[]

beforeEach(async () => {
  folder = await scratchFolder('mintmark-start-')
  children = []
})
afterEach(async () => {
  for (const child of children)
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  await rm(folder, { recursive: true })
})

/** Starts a server process on the embedded database and collects its standard error. */
function start(...args: string[]) {
  const child = spawn(process.execPath, [main, 'start', '--port', '0', ...args], {
    cwd: folder,
    env: { ...commandEnv, MINTMARK_API_KEY: 'own' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  children.push(child)
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
  })
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
  return { child, closed, err: () => err }
}

async function started(...args: string[]) {
  const server = start(...args)
  await expect.poll(server.err).toMatch(/"url":"[^"]+"/)
  const url = /"url":"([^"]+)"/.exec(server.err())![1]!
  return { ...server, url }
}

function mintmark(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) =>
    execFile(process.execPath, [main, ...args], { cwd: folder, env: commandEnv }, (error, out, err) =>
      done({ code: error ? Number(error.code) : 0, out, err }),
    ),
  )
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'default: a ready server exits within 10 s of %s with code 0',
  async (signal) => {
    const { child, closed, url } = await started()
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    // A terminal's Ctrl-C arrives twice if a parent process forwards it as well.
    child.kill(signal)
    child.kill(signal)
    // A server that does not stop in time exits with 1 (`main.ts`).
    expect(await closed).toEqual([0, null])
    await expect(fetch(`${url}/health`)).rejects.toThrow()
  },
)

test('behavior: commands work on the database of a running server', async () => {
  await newCluster(join(folder, '.mintmark'))
  const { url } = await started()
  const { key, id } = JSON.parse((await mintmark('keys', 'create', '--json')).out)
  const request = (apiKey: string) =>
    fetch(`${url}/api/v2/nft/${address}?chain=goerli`, { headers: { 'x-api-key': apiKey } })
  // No node serves Goerli. Only a valid key gets this 400.
  expect((await request(key)).status).toBe(400)
  expect((await request('own')).status).toBe(400)
  expect((await request('other')).status).toBe(401)
  expect((await mintmark('keys', 'revoke', id)).code).toBe(0)
  await expect.poll(async () => (await request(key)).status).toBe(401)
  const { servers } = JSON.parse((await mintmark('status', '--json')).out)
  expect(servers).toEqual([{ host: expect.any(String), role: 'all', pid: children[0]!.pid }])
})

test('error: a second server on the same data folder fails in one line', async () => {
  await newCluster(join(folder, '.mintmark'))
  const { url } = await started()
  const second = start()
  expect(await second.closed).toEqual([1, null])
  expect(second.err()).toMatch(/^mintmark: [^\n]+ is in use by another Mintmark[^\n]+\n$/)
  expect((await fetch(`${url}/ready`)).status).toBe(200)
})

test('behavior: a server that is started while a command uses the data folder waits for the command', async () => {
  const data = join(folder, '.mintmark')
  await newCluster(data)
  const lock = lockDataDir(data)
  const port = await freePort()
  const server = start('--port', String(port))
  try {
    const status = () => fetch(`http://127.0.0.1:${port}/ready`).then((answer) => answer.status)
    await expect.poll(() => status().catch(() => 0)).toBe(503)
  } finally {
    lock.release()
  }
  await expect.poll(server.err).toMatch(/"url":"[^"]+"/)
})

test('behavior: a starting server returns 503 with Retry-After, and is alive and not ready', async () => {
  const port = await freePort()
  start('--port', String(port))
  const seen = new Set<string>()
  const look = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined)
    const reported = response ? `${path} ${response.status} ${response.headers.get('retry-after')}` : `${path} refused`
    if (response || seen.size > 0) seen.add(reported)
    return response?.status
  }
  await expect
    .poll(
      async () => {
        await look('/health')
        await look('/stats')
        return look('/ready')
      },
      { interval: 10 },
    )
    .toBe(200)
  seen.delete('/stats 401 null')
  expect([...seen].sort()).toEqual(['/health 200 null', '/ready 200 null', '/ready 503 2', '/stats 503 2'])
})

test('error: a port in use is reported before any file is created', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as { port: number }
  const server = start('--port', String(port))
  expect(await server.closed).toEqual([1, null])
  expect(server.err().split('\n').at(-2)).toMatch(new RegExp(`^mintmark: .*${port}.*taken`))
  expect(server.err().match(/\n/g)).toHaveLength(1)
  expect(existsSync(join(folder, '.mintmark'))).toBe(false)
  blocker.close()
})

test('behavior: a server that gets SIGTERM while it starts exits with code 0', async () => {
  const { child, closed, err } = start()
  await expect.poll(err).toContain('migrated')
  child.kill('SIGTERM')
  expect(await closed).toEqual([0, null])
})
