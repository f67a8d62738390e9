// @module-tag system

import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createWebhookSecret } from '../../src/stream/sign/webhookSecret.ts'
import { type Language, receiversOf } from '../../web/views/streams/verifyCode.ts'
import { freePort } from '../freePort.ts'
import { patience } from '../patience.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const id = '7d6f2f0e-5f0a-4b7e-9d1f-1f1b8b0f2a11'
const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }
const body = JSON.stringify({ streamId: id, chainId: '0x1', block: { number: '17' }, logs: [{}, {}] })
const webhookModule = pathToFileURL(join(import.meta.dirname, '../../src/webhook.ts')).href

// biome-ignore lint/style/noProcessEnv: where the languages of this machine are
const pathOfThis = process.env.PATH ?? ''

const commands: Record<Language, readonly string[]> = {
  node: [process.execPath],
  python: ['python3', '-u'],
  go: ['go'],
}
const isThere = (language: Language) =>
  language === 'node' || spawnSync(commands[language][0]!, [language === 'go' ? 'version' : '--version']).status === 0

const languages = ['node', 'python', 'go'] as const

/** Runs the code exactly as the page shows it, and returns the lines that it writes. */
async function runReceiver(language: Language, options: { webhookUrl: string; gzip: boolean; secret: string }) {
  const { file, code } = receiversOf({ id, webhookUrl: options.webhookUrl, gzip: options.gzip })[language]
  const folder = await temporaryFolder()
  const path = join(folder, file)
  writeFileSync(path, code.replace("'mintmark/webhook'", JSON.stringify(webhookModule)))
  const program = language === 'go' ? join(folder, 'receiver') : path
  if (language === 'go') expect(spawnSync('go', ['build', '-o', program, path], { encoding: 'utf8' }).stderr).toBe('')
  const [command, ...args] = language === 'go' ? [program] : [...commands[language], program]
  const child = spawn(command!, args, { env: { PATH: pathOfThis, WEBHOOK_SECRET: options.secret } })
  const written: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => written.push(String(text)))
  const ended = new Promise((resolve) => child.once('close', resolve))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return written
}

test.for(languages.flatMap((language) => [false, true].map((gzip) => [language, gzip] as const)))(
  'default: the receiver in %s, compressed %s, accepts only webhooks with a valid signature and timestamp',
  async ([language, gzip], { skip }) => {
    skip(!isThere(language), `there is no ${commands[language][0]} on this machine`)
    const secret = createWebhookSecret()
    // The path contains characters that could end a string in one of the languages.
    const origin = `http://127.0.0.1:${await freePort()}`
    const webhookUrl = `${origin}/hooks/'"$(a)\`{b}\\?token=1`
    const written = await runReceiver(language, { webhookUrl, gzip, secret })
    const post = async (options: { key?: string; at?: Date; sent?: string; path?: string } = {}) => {
      const { key = secret, at = new Date(), sent = body, path = webhookUrl } = options
      const plain = Buffer.from(sent)
      const response = await fetch(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(gzip && { 'content-encoding': 'gzip' }),
          'webhook-id': 'one',
          'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
          'webhook-signature': `v1,bm90aGluZw== ${new Webhook(key).sign('one', at, body)}`,
        },
        body: gzip ? gzipSync(plain) : plain,
      })
      await response.arrayBuffer()
      return response.status
    }
    await vi.waitFor(async () => expect(await post({ path: origin }), written.join('')).toBe(404), patience)
    expect(await post()).toBe(200)
    await vi.waitFor(() => expect(written.join('')).toMatch(/one 0x1 17 2/), patience)
    expect(await post({ key: createWebhookSecret() })).toBe(401)
    expect(await post({ sent: body.replace('17', '18') })).toBe(401)
    expect(await post({ at: new Date(Date.now() - 400_000) })).toBe(401)
    expect(await post({ at: new Date(Date.now() + 400_000) })).toBe(401)
  },
)

test('default: the Node receiver names the package tarball, as no registry has the package yet', () => {
  const { code } = receiversOf({ id, webhookUrl: 'https://shop.example/hooks', gzip: false }).node
  expect(code).not.toContain('npm install mintmark\n')
  expect(code).toContain(`mintmark-${version}.tgz`)
})
