import { Command } from 'commander'
import type { Coin } from '../../coin/decode/coin.ts'
import { importCoins, networkIdOf } from '../../coin/importCoins.ts'
import type { NetworkSettings } from '../../coin/networkSettings.ts'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import { BadRequestError } from '../../util/errors.ts'
import { addDatabaseOptions, type ConfigOptions, configFrom } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { createHeadCheck } from '../input/createHeadCheck.ts'
import { readCoinFile } from '../input/readCoinFile.ts'
import { createProgress } from '../report/createProgress.ts'
import type { Print } from '../report/print.ts'
import { verifyCoinsCommand } from './verifyCoinsCommand.ts'

/** Records stored in one transaction. */
const batchSize = 2_000

type ImportOptions = ConfigOptions & { network: string; json?: boolean }

export function coinsCommand(context: CliContext): Command {
  return new Command('coins')
    .description('coins of Aptos-style networks')
    .addCommand(importCommand(context))
    .addCommand(verifyCoinsCommand(context))
}

function importCommand(context: CliContext): Command {
  const { print, signal } = context
  return addDatabaseOptions(new Command('import'))
    .description('import coin records from a file; they count as imported until the chain confirms them')
    .argument('<file>', 'JSON lines, a JSON array, or CSV with the field names in its first line; - for standard input')
    .option('--network <name>', 'network of the coins', 'mainnet')
    .option('--json', 'print JSON')
    .action(async (file: string, options: ImportOptions) => {
      const settings = findNetwork(await configFrom(options, context), options.network)
      await withDatabase({ ...options, create: true }, context, async (db) => {
        const outcome = await importFile(db, { file, network: options.network, settings, print, signal })
        const { read, added, replaced } = outcome
        if (options.json) print.json({ network: options.network, ...outcome })
        else
          print.line(
            `${read} records of ${options.network}: ${added} added, ${replaced} replaced a later record, ${read - added - replaced} already known`,
          )
      })
    })
}

function findNetwork({ aptos }: Config, name: string): NetworkSettings {
  const settings = Object.hasOwn(aptos, name) ? aptos[name] : undefined
  if (settings) return settings
  const names = Object.keys(aptos).join(', ')
  throw new BadRequestError(
    `there is no network "${name}"${names === '' ? '' : `; available: ${names}`}. Add it to the configuration under aptos`,
  )
}

/** Stores in batches. After an error the stored batches stay, and the same file can be imported again. */
async function importFile(
  db: Database,
  options: { file: string; network: string; settings: NetworkSettings; print: Print; signal: AbortSignal },
): Promise<{ read: number; added: number; replaced: number }> {
  const { file, network, settings, print, signal } = options
  const { size, coins } = await readCoinFile(file, signal)
  const id = await networkIdOf(db, network)
  const head = createHeadCheck({ db, network, networkId: id, settings, signal })
  const progress = createProgress(print)
  const total = { read: 0, added: 0, replaced: 0 }
  let batch: Coin[] = []

  async function store(bytes: number): Promise<void> {
    const { added, replaced } = await importCoins(db, id, batch)
    total.read += batch.length
    total.added += added
    total.replaced += replaced
    batch = []
    progress.update(size === undefined ? 0 : bytes / size, `${total.read} records`)
  }

  try {
    let read = 0
    for await (const { coin, at, bytes } of coins) {
      signal.throwIfAborted()
      await head.hold(coin, at)
      read = bytes
      batch.push(coin)
      if (batch.length >= batchSize) await store(bytes)
    }
    if (batch.length > 0) await store(read)
  } finally {
    progress.stop()
  }
  return total
}
