import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { type ConfigInput, parseConfig } from '../../config/config.ts'
import { quantity } from '../../util/hex.ts'
import { checkPort } from '../../util/http/listenError.ts'
import type { Log } from '../../util/log.ts'
import { portOption } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { openLog } from '../context/openLog.ts'
import type { DemoChain } from '../demo/chain.ts'
import { demoFolderPrefix, endLostDemos } from '../demo/endLostDemos.ts'
import { printDemo } from '../demo/printDemo.ts'
import { untilCoins, untilSynced } from '../demo/untilSynced.ts'

type DemoOptions = { port: number; json?: boolean; verbose?: boolean }

export function demoCommand(context: CliContext): Command {
  return new Command('demo')
    .description('run everything on a local chain with sample collections and coins, in a temporary folder')
    .addOption(portOption().default(8080))
    .option('--verbose', 'log all events of the demo')
    .option('--json', 'print the address, the key and the collections as JSON')
    .action((options: DemoOptions) => runDemo(options, context))
}

async function runDemo({ port, json, verbose }: DemoOptions, { print, signal, secrets }: CliContext): Promise<void> {
  await checkPort({ host: '127.0.0.1', port })
  const log = await openLog({ level: verbose ? 'info' : 'error', mask: secrets.mask })
  await endLostDemos(log)
  const folder = await mkdtemp(join(tmpdir(), demoFolderPrefix))
  const undo: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  const startedAt = performance.now()
  try {
    const { startDemoChain } = await import('../demo/chain.ts')
    print.note('starting a local chain, minting 10,600 tokens …')
    const chain = await startDemoChain({ folder, log, signal })
    undo.push(chain.stop)
    const { startDemoCoins } = await import('../demo/coins.ts')
    const coins = await startDemoCoins()
    undo.push(coins.stop)
    const { startDemoReceiver, createDemoStream } = await import('../demo/stream.ts')
    const receiver = await startDemoReceiver()
    undo.push(receiver.stop)
    const { createService } = await import('../../service.ts')
    const { openConsole } = await import('../../service/console/openConsole.ts')
    print.note('starting the server, indexing …')
    const apiKey = `demo-${randomBytes(12).toString('hex')}`
    const settings = demoConfig({ folder, port, apiKey, chain, coinsUrl: coins.url })
    // Commands read the database, the chain and its node from this file.
    const configFile = join(folder, 'mintmark.config.json')
    await writeFile(configFile, JSON.stringify(settings, null, 2), { mode: 0o600 })
    const service = await createService({ config: parseConfig(settings), log, openConsole })
    undo.push(service.close)
    const origin = { url: service.url, apiKey, chain: chain.name, signal }
    await Promise.all([
      ...Object.values(chain.collections).map((address) => untilSynced({ ...origin, address })),
      untilCoins({ ...origin, count: coins.firstCoins }),
    ])
    const streamId = await createDemoStream({
      ...origin,
      chainId: chain.chainId,
      address: chain.collections.erc721,
      webhookUrl: receiver.url,
    })
    const seconds = (performance.now() - startedAt) / 1_000
    const { url } = service
    // The configuration has a key, so the link exists.
    const link = service.signInLink()!
    if (json)
      print.json({
        ...{ console: link, url, apiKey },
        ...{ chain: chain.name, collections: chain.collections, streamId, config: configFile },
      })
    else printDemo(print, { url, link, apiKey, chain, configFile, seconds })
    if (!signal.aborted) await once(signal, 'abort')
  } catch (error) {
    // A signal during the start is not an error.
    if (!signal.aborted) throw error
  } finally {
    await undoAll(undo, log)
  }
}

function demoConfig(options: {
  folder: string
  port: number
  apiKey: string
  chain: DemoChain
  coinsUrl: string
}): ConfigInput {
  const { folder, port, apiKey, chain, coinsUrl } = options
  return {
    port,
    apiKey,
    dataDir: join(folder, 'data'),
    // The demo's webhook receiver.
    outbound: { allow: ['127.0.0.1'] },
    // The network of the routes without a network in their path.
    aptos: { mainnet: { rest: coinsUrl, pollIntervalMs: 250 } },
    chains: {
      [chain.name]: {
        id: quantity(chain.chainId),
        rpc: [chain.rpcUrl],
        pollIntervalMs: 500,
        // Confirms webhooks within seconds.
        confirmations: 3,
        // Lists the demo's new contracts.
        discover: true,
      },
    },
  }
}

/** Runs the steps in reverse order; a failing step does not stop the others. */
async function undoAll(undo: (() => Promise<void>)[], log: Log): Promise<void> {
  for (const step of undo.reverse()) await step().catch((err) => log.error({ err }, 'demo cleanup incomplete'))
}
