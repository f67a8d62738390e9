import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseSecrets } from '../../src/cli/listen/checkSignatures.ts'
import { type Received, receiveWebhooks } from '../../src/cli/listen/receiveWebhooks.ts'
import { createWebhookSecret } from '../../src/stream/sign/webhookSecret.ts'
import { startTestServer, type TestServer, testApiKey } from '../mintmark.ts'
import { createRpcServer, type RpcServer } from '../rpcServer.ts'
import { scratchFolder } from '../scratchFolder.ts'
import { createScriptedNode } from '../scriptedNode.ts'

// Tests the receivers of docs/webhooks.md, copied verbatim, and the stream that the page creates for them.
const root = join(import.meta.dirname, '../..')
const docs = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')
const blocks = (language: string, after: string) =>
  [...docs.slice(docs.indexOf(after)).matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(
    ([, code]) => code!,
  )
const run = promisify(execFile)

let node: RpcServer
let server: TestServer
let folder: string

beforeAll(async () => {
  folder = await scratchFolder('mintmark-receivers-')
  node = await createRpcServer(createScriptedNode({ blocks: 10 }).handler())
  server = await startTestServer({
    rpc: [node.url],
    config: { role: 'api', outbound: { allow: ['127.0.0.1'] } },
  })
})
afterAll(async () => {
  await server?.close()
  await node?.close()
  await rm(folder, { recursive: true })
})

async function send(method: string, path: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(server.url + path, {
    method,
    headers: { 'x-api-key': testApiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as Record<string, string>
}

/** Runs the receiver for Node in a separate process, which prints the webhooks that it handles. */
async function startDocumented(secret: string | undefined) {
  const [code] = blocks('ts', '### With Node')
  const program = code!
    .replace(`'mintmark/webhook'`, JSON.stringify(join(root, 'src/webhook.ts')))
    .replace('.listen(3000)', `.listen(0, '127.0.0.1', function () { console.log(this.address().port) })`)
  const file = join(folder, 'receiver.ts')
  await writeFile(
    file,
    `${program}\nasync function handleOnce(id, body) { console.log(JSON.stringify({ id, body })) }\n`,
  )
  const child = spawn(process.execPath, [file], {
    env: secret === undefined ? {} : { WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value ?? 'null')
  return {
    url: `http://127.0.0.1:${await next()}`,
    next,
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

const definition = { description: '', tag: 'docs', chainIds: ['0x7a69'] }

test('default: creates the secret, starts the receiver and creates the stream as the page documents', async ({
  skip,
}) => {
  const [makeSecret, makeStream] = blocks('sh', '### The test webhook')
  if (
    await run('curl', ['--version']).then(
      () => false,
      () => true,
    )
  )
    skip('curl is not installed')
  const { stdout: secret } = await run('sh', ['-ec', `${makeSecret}\nprintf %s "$WEBHOOK_SECRET"`])
  await using receiver = await startDocumented(secret)
  const given = `MINTMARK=${server.url} KEY=${testApiKey} RECEIVER=${receiver.url} WEBHOOK_SECRET=${secret}`
  const command = makeStream!.replace('"0x1"', '"0x7a69"')
  const { stdout } = await run('sh', ['-ec', `${given}\ncurl() { command curl -s --noproxy '*' "$@"; }\n${command}`])
  expect(JSON.parse(stdout)).toMatchObject({ status: 'active', statusMessage: '', webhookSecret: secret })
  expect(await receiver.next()).toMatchObject({ body: { streamId: '', chainId: '', logs: [], confirmed: true } })
})

test.each([createWebhookSecret(), undefined])(
  'behavior: a stream whose receiver has a wrong secret or none is paused with the reason, and can be activated (%#)',
  async (secret) => {
    await using receiver = await startDocumented(secret)
    const made = await send('PUT', '/streams/evm', { ...definition, webhookUrl: receiver.url })
    const code = secret === undefined ? 500 : 401
    expect(made).toMatchObject({ status: 'paused', statusMessage: `the test webhook failed: answered ${code}` })
    expect(await send('POST', `/streams/evm/${made.id}/status`, { status: 'active' })).toMatchObject({
      status: 'active',
    })
  },
)

/**
 * The status that a receiver of the page returns for a webhook, forged or not.
 * Each receiver is loaded verbatim, plus the code that the page leaves to the reader.
 */
type Answer = (body: string, headers: Record<string, string>) => Promise<number>

async function loadDocumented(heading: string, name: string, beside: string): Promise<Record<string, unknown>> {
  const [code] = blocks('ts', heading)
  const program = code!
    .replace(`'mintmark/webhook'`, JSON.stringify(join(root, 'src/webhook.ts')))
    .replace(`import express from 'express'`, '')
  const file = join(folder, `${name}.ts`)
  await writeFile(file, `${beside}\n${program}\nasync function handleOnce(id, body) {}\n`)
  return await import(file)
}

const secret = createWebhookSecret()
const receivers: [string, () => Promise<Answer>][] = [
  [
    'Express',
    async () => {
      // Imitates an Express router with one route. Like Express, it returns an error's statusCode, or 500.
      const { routes } = (await loadDocumented(
        '### With Express',
        'express',
        `const secret = ${JSON.stringify(secret)}
         export const routes = []
         const express = { raw: () => null }
         const app = { post: (path, raw, handle) => routes.push(handle) }`,
      )) as { routes: [(request: object, response: object, next: (error: { statusCode?: number }) => void) => unknown] }
      return (body, headers) =>
        new Promise((resolve) =>
          routes[0]({ body: Buffer.from(body), headers }, { sendStatus: resolve }, ({ statusCode }) =>
            resolve(statusCode ?? 500),
          ),
        )
    },
  ],
  [
    'Request',
    async () => {
      const { POST } = (await loadDocumented(
        '### With `Request`',
        'fetch',
        `const secret = ${JSON.stringify(secret)}`,
      )) as { POST: (request: Request) => Promise<Response> }
      return async (body, headers) =>
        (await POST(new Request('http://localhost', { method: 'POST', body, headers }))).status
    },
  ],
]

test.each(receivers)('behavior: the receiver for %s answers 401 to forged webhooks', async (_, load) => {
  const answer = await load()
  const at = new Date()
  const body = JSON.stringify({ streamId: '' })
  const headers = {
    'webhook-id': '1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('1', at, body),
  }
  expect(await answer(body, headers)).toBe(200)
  expect(await answer(`${body} `, headers)).toBe(401)
  expect(await answer(body, {})).toBe(401)
})

test('behavior: mintmark listen verifies both signatures of a test webhook while its stream is being created or changed', async () => {
  const received: Received[] = []
  const listening = await receiveWebhooks({
    ...{ port: 0, fail: 0, delayMs: 0, forward: undefined },
    secrets: databaseSecrets(server.database.db),
    onReceived: (one) => received.push(one),
  })
  try {
    const made = await send('PUT', '/streams/evm', { ...definition, webhookUrl: `${listening.url}/a` })
    expect(made).toMatchObject({ status: 'active', statusMessage: '' })
    await expect.poll(() => received.length).toBe(1)
    const changed = { webhookUrl: `${listening.url}/b`, webhookSecret: createWebhookSecret() }
    expect(await send('POST', `/streams/evm/${made.id}`, changed)).toMatchObject({ status: 'active' })
    await expect.poll(() => received.length).toBe(2)
    for (const one of received)
      expect(one).toMatchObject({ status: 200, verdicts: { legacy: 'right', standard: 'right', reason: undefined } })
  } finally {
    await listening.close()
  }
})
