import { once } from 'node:events'
import { Command, InvalidArgumentError } from 'commander'
import { isWebhookSecret } from '../../stream/sign/webhookSecret.ts'
import { checkPort } from '../../util/http/listenError.ts'
import { addDatabaseOptions, type ConfigOptions, configFrom, portOption } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { parseHttpAddress } from '../input/parseArgument.ts'
import type { Secrets, Verdict } from '../listen/checkSignatures.ts'
import { describeWebhook } from '../listen/describeWebhook.ts'
import type { Received } from '../listen/receiveWebhooks.ts'
import type { Print } from '../report/print.ts'

type ListenOptions = ConfigOptions & {
  port: number
  forward?: string
  fail: number
  delay: number
  secret: string[]
  secretKey?: string
  json?: boolean
}

export function listenCommand(context: CliContext): Command {
  return addDatabaseOptions(new Command('listen'))
    .description('receive webhooks on this machine, check both signatures and print them')
    .addOption(portOption().default(8099))
    .option(
      '--forward <url>',
      'forward each webhook unchanged to this address, and return its response',
      parseHttpAddress,
    )
    .option('--fail <rate>', 'share of webhooks to answer with 500, from 0 to 1', rate, 0)
    .option('--delay <ms>', 'delay before each response', milliseconds, 0)
    .option('--secret <whsec>', 'secret of a stream; repeatable (default: from the database)', gather, [])
    .option('--secret-key <text>', 'secretKey of the settings (default: from the database)')
    .option('--json', 'print each webhook as a line of JSON')
    .action((options: ListenOptions) => runListen(options, context))
}

async function runListen(options: ListenOptions, context: CliContext): Promise<void> {
  await checkPort({ host: '127.0.0.1', port: options.port })
  // Imported on demand: other commands start faster without webhook code.
  const { databaseSecrets, givenSecrets } = await import('../listen/checkSignatures.ts')
  if (options.secret.length > 0 || options.secretKey !== undefined) {
    await listen(options, context, givenSecrets(options))
    return
  }
  const { dataDir, databaseUrl } = await configFrom(options, context)
  if (databaseUrl !== null) {
    await withDatabase(options, context, (db) => listen(options, context, databaseSecrets(db)))
    return
  }
  const { createServerDatabase } = await import('../listen/serverDatabase.ts')
  const db = createServerDatabase(dataDir)
  try {
    if (!(await db.runs()))
      context.print.note(
        `no server runs on ${dataDir}: signatures are checked once one runs; for a server elsewhere give --secret or --secret-key`,
      )
    await listen(options, context, databaseSecrets(db))
  } finally {
    await db.close()
  }
}

async function listen(options: ListenOptions, { print, signal }: CliContext, secrets: Secrets): Promise<void> {
  const { port, forward, fail, delay, json } = options
  const { receiveWebhooks } = await import('../listen/receiveWebhooks.ts')
  const receiver = await receiveWebhooks({
    port,
    secrets,
    fail,
    delayMs: delay,
    forward,
    onReceived: (received) => (json ? print.jsonLine(received) : printReceived(print, received)),
  })
  try {
    print.note(`waiting for webhooks at ${receiver.url}; loopback addresses need outbound.allow: ["127.0.0.1"]`)
    if (!signal.aborted) await once(signal, 'abort')
  } finally {
    await receiver.close()
  }
}

function printReceived(print: Print, received: Received): void {
  const { body, bytes, id, verdicts, status, forwarded } = received
  const time = new Date().toLocaleTimeString('en-GB')
  const answer = print.style(status < 300 ? 'green' : 'red', String(status))
  if (!body) {
    print.line(`${time} ${answer} ${bytes} bytes that are not a webhook`)
    return
  }
  const { title, lines } = describeWebhook(body)
  print.line(`${time} ${answer} ${print.style('bold', title)}${body.tag ? ` (${body.tag})` : ''}`)
  for (const line of lines) print.line(`  ${line}`)
  if (forwarded) print.line(`  ${forwarded}`)
  if (!verdicts) return
  const signatures = `x-signature ${mark(print, verdicts.legacy)}, webhook-signature ${mark(print, verdicts.standard)}`
  print.line(print.style('dim', `  ${id}, ${bytes} bytes, `) + signatures)
  if (verdicts.reason) print.line(print.style('red', `  ${verdicts.reason}`))
}

function mark(print: Print, verdict: Verdict): string {
  return print.style(verdict === 'right' ? 'green' : verdict === 'wrong' ? 'red' : 'yellow', verdict)
}

function gather(text: string, before: string[]): string[] {
  if (!isWebhookSecret(text)) throw new InvalidArgumentError('It must be whsec_ and 24 to 64 bytes in base64.')
  return [...before, text]
}

function rate(text: string): number {
  const number = Number(text)
  if (!/^[\d.]+$/.test(text) || !(number >= 0 && number <= 1))
    throw new InvalidArgumentError('It must be a number from 0 to 1.')
  return number
}

function milliseconds(text: string): number {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It must be a whole number of milliseconds.')
  return Number(text)
}
