// @module-tag system

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { ConfigInput } from '../../src/config/config.ts'
import { type Address, zeroAddress } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { commandEnv } from '../commandEnv.ts'
import { runCommand } from '../commandLine.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { createTestDatabase } from '../database.ts'
import { builtProgram } from '../program.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { startEchoHost } from './echoHost.ts'
import { readTables } from './readTables.ts'
import { requestEverything } from './requestEverything.ts'
import { createSecretNames, type SecretNames } from './secretNames.ts'
import { startSocketProxy } from './socketProxy.ts'

const modes = ['unauthorized', 'failing', 'garbage', 'hanging', 'chain', 'away'] as const
const media = `/media/${'0'.repeat(64)}/low.webp`

/** Three addresses: with a key in the path, with a key in the query, and with a user and a password. */
function addresses({ make, login }: SecretNames, origin: URL, mode: string, name: string): string[] {
  const { protocol, host } = origin
  return [
    `${protocol}//${host}/${mode}/v3/${make(`path of ${name}`)}`,
    `${protocol}//${host}/${mode}?apikey=${make(`query of ${name}`)}`,
    `${protocol}//${login(name)}@${host}/${mode}`,
  ]
}

/** Starts a service in a separate process and records its standard error. */
async function startServer(configFile: string) {
  const child = spawn(process.execPath, [await builtProgram(), 'start', '--config', configFile], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: commandEnv,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let log = ''
  child.stderr!.on('data', (chunk: Buffer) => {
    log += chunk
  })
  await expect.poll(() => log).toMatch(/"event":"serving"/)
  return {
    url: /"url":"(http:[^"]+)"[^\n]*"serving"/.exec(log)![1]!,
    log: () => log,
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

test('behavior: in a run with errors, secrets of URLs never reach responses, logs, metrics, tables, backups or command output', async () => {
  const names = createSecretNames()
  const { make, login } = names
  // Secrets in addresses that the owner of a stream set and may read.
  const owned = createSecretNames()
  const folder = await temporaryFolder()
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const [holder] = anvil.accounts as [Address]
  const token = await anvil.deploy(plain721, ['N', 'N', 'ipfs://QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWKS3Mv/'])
  await anvil.send({ to: token, abi: plain721.abi, functionName: 'mintBatch', args: [holder, 1n, 3n], gas: 9_000_000n })
  await anvil.mine(10)
  const host = await startEchoHost({ node: anvil.url, list: () => [token] })
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { host: socket = '', port = 5432, user } = database.connection
  const proxy = await startSocketProxy({ host: socket, port })
  const origin = new URL(host.url)
  const at = (mode: string, name: string, to = origin) => addresses(names, to, mode, name)

  const faulty = Object.fromEntries(
    modes.map((mode, i) => [mode, { id: `0x${(70_000 + i).toString(16)}`, rpc: at(mode, `chain ${mode}`) }]),
  )
  const tls = { id: '0x1a001', rpc: at('tls', 'chain tls', new URL(`https://127.0.0.1:${host.port}`)) }
  const dns = { id: '0x1a002', rpc: at('dns', 'chain dns', new URL('http://nowhere.invalid')) }
  const rejected = { id: '0x1a003', rpc: at('refused', 'chain refused', new URL('http://127.0.0.1:1')) }
  const apiKey = make('apiKey')
  const config: ConfigInput = {
    port: 0,
    logLevel: 'debug',
    apiKey,
    dataDir: folder,
    databaseUrl: `postgres://${user}:${make('databaseUrl')}@/${database.connection.database}?host=${proxy.folder}&port=${port}`,
    databasePoolSize: 8,
    metricsPublic: true,
    chains: {
      local: { id: '0x7a69', rpc: at('node', 'chain local'), pollIntervalMs: 50 },
      ...faulty,
      tls,
      dns,
      refused: rejected,
    },
    aptos: {
      restpath: { rest: `${host.url}/unauthorized/${make('path of rest')}/v1`, token: make('token of rest') },
      restquery: { rest: `${host.url}/garbage/v1?key=${make('query of rest')}` },
      restlogin: { rest: `http://${login('rest')}@${origin.host}/failing/v1` },
      restaway: { rest: `http://nowhere.invalid/${make('path of a rest that is unreachable')}/v1` },
      stream: { grpc: host.grpc, token: make('token of grpc') },
      streamaway: { grpc: '127.0.0.1:1', token: make('token of a grpc that is unreachable') },
    },
    rpc: { timeoutMs: 300 },
    outbound: {
      allow: ['127.0.0.1'],
      ipfsGateways: [...at('unauthorized', 'ipfs'), ...at('away', 'other ipfs'), ...at('garbage', 'third ipfs')],
      arweaveGateways: at('failing', 'arweave'),
    },
    metadata: { retryDelaysMs: [100, 3_600_000] },
    lists: { spam: [...at('list', 'list'), ...at('unauthorized', 'other list').slice(0, 2)] },
    webhooks: {
      operationsUrl: `${host.url}/unauthorized/${make('path of operations')}?key=${make('query of operations')}`,
    },
    media: {
      store: 's3',
      s3: {
        endpoint: `${host.url}/unauthorized/${make('path of s3')}`,
        bucket: 'previews',
        accessKeyId: make('id of s3'),
        secretAccessKey: make('key of s3'),
      },
    },
  }
  const configFile = join(folder, 'mintmark.config.json')
  await writeFile(configFile, JSON.stringify(config))
  const leaks: string[] = []
  const look = (where: string, text: string) => {
    for (const name of names.foundIn(text)) leaks.push(`${name}: ${where}`)
  }
  const command = async (...args: string[]) => {
    const { code, out, err } = await runCommand([...args, '--config', configFile])
    look(`mintmark ${args.join(' ')}`, out + err)
    expect(owned.foundIn(out + err)).toEqual([])
    return { code, out }
  }

  const server = await startServer(configFile)
  const admin = { 'x-api-key': apiKey }
  const reader = { 'x-api-key': (await command('keys', 'create', 'reader')).out.trim() }
  const failureOf = async (path: string) =>
    (await fetch(server.url + path, { headers: reader })).headers.get('x-index-failure')
  const page = (chain: string, address: Address = token) => `/api/v2/nft/${address}?chain=${chain}`
  const body = JSON.stringify({
    webhookUrl: `${host.url}/unauthorized/${owned.make('path of a webhook')}?key=${owned.make('query of a webhook')}`,
    description: '',
    tag: '',
    chainIds: ['0x7a69'],
    topic0: ['Transfer(address,address,uint256)'],
    includeContractLogs: true,
    allAddresses: true,
    abi: [
      {
        type: 'event',
        name: 'Transfer',
        anonymous: false,
        inputs: ['from', 'to', 'id'].map((name) => ({
          name,
          type: name === 'id' ? 'uint256' : 'address',
          indexed: true,
        })),
      },
    ],
  })
  const made = await fetch(`${server.url}/streams/evm`, {
    method: 'PUT',
    headers: { ...admin, 'content-type': 'application/json' },
    body,
  })
  const { id: streamId } = (await made.json()) as { id: string }

  // Everything fails: chains, networks, gateways, the contract list, the preview store.
  const chains = ['local', ...modes, 'tls', 'dns', 'refused']
  for (const chain of chains) await failureOf(page(chain))
  await expect
    .poll(async () => (await fetch(server.url + page('local'), { headers: reader })).headers.get('x-index-status'))
    .toBe('synced')
  for (const name of Object.keys(config.aptos!))
    await expect
      .poll(() => failureOf(`/aptos/${name}/coins/latest?limit=1`), { message: name })
      .toEqual(expect.any(String))
  const isPrinted = (event: string, chain: string) =>
    server
      .log()
      .split('\n')
      .some((line) => line.includes(`"chain":"${chain}"`) && line.includes(event))
  for (const chain of chains.slice(1))
    await expect.poll(() => isPrinted('chain unreachable', chain), { message: chain }).toBe(true)
  await expect.poll(async () => (await command('status', 'local', token)).out).toContain('on the list')
  await expect.poll(() => database.db.rows('SELECT 1 FROM token_metadata WHERE reason IS NOT NULL')).toHaveLength(3)
  expect((await fetch(server.url + media)).status).toBe(503)

  // A node that worked before fails for the follower, and for requests.
  host.break()
  await failureOf(page('local', zeroAddress))
  await expect.poll(() => database.db.rows('SELECT 1 FROM chain WHERE failure IS NOT NULL')).toHaveLength(1)
  await expect.poll(() => failureOf(page('local', zeroAddress))).toEqual(expect.any(String))

  const targets = {
    page: ['operations'],
    path: ['keys'],
    chain: chains,
    network: Object.keys(config.aptos!),
    address: [token],
    token_id: ['1'],
    wallet: [token],
    block: ['1'],
    id: [streamId],
    streamId: [streamId],
    hash: ['0'.repeat(64)],
    key: ['-'],
    route: ['getNFTsForContract'],
    file: ['low.webp'],
  }
  for (const headers of [admin, reader, {}] as Record<string, string>[])
    for (const [operation, reported] of await requestEverything(server.url, headers, targets)) {
      look(operation, reported)
      if (headers !== admin) expect(owned.foundIn(reported), operation).toEqual([])
    }
  await command('status')
  await command('status', '--json')
  await command('status', 'local', token, '--json')
  expect((await command('verify', 'local', token)).code).toBe(1)
  await command('verify', 'local', token, '--json')
  expect((await command('index', 'unauthorized', token)).code).toBe(0)

  proxy.cut()
  await expect.poll(async () => (await fetch(`${server.url}/ready`)).status).toBe(503)
  for (const [operation, reported] of await requestEverything(server.url, admin, { ...targets, chain: ['local'] }))
    look(`${operation} without a database`, reported)
  expect((await command('status')).code).toBe(1)
  proxy.mend()
  await expect.poll(async () => (await fetch(`${server.url}/health`)).status).toBe(200)

  await command('backup', join(folder, 'backup'))
  await server.stop()
  look('the backup', gunzipSync(await readFile(join(folder, 'backup'))).toString('latin1'))
  for (const [table, text] of await readTables(database.db)) look(`table ${table}`, text)
  for (const line of server.log().split('\n')) look(`log: ${/"event":"[^"]*"/.exec(line)?.[0]}`, line)
  expect(owned.foundIn(server.log())).toEqual([])
  expect([...new Set(leaks)]).toEqual([])

  // The hosts that repeat their requests did receive these secrets.
  const reported = names.foundIn(host.output())
  expect(reported).toEqual(
    expect.arrayContaining(['path of chain local', 'password of chain unauthorized', 'query of chain failing']),
  )
  expect(reported).toEqual(
    expect.arrayContaining(['token of rest', 'token of grpc', 'path of s3', 'id of s3', 'query of list']),
  )
  expect(reported).toEqual(expect.arrayContaining(['path of ipfs', 'query of ipfs', 'password of ipfs']))
})
