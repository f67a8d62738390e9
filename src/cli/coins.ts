import { Command } from 'commander'
import type { Coin } from '../coin/coin.ts'
import { importCoins, networkIdOf } from '../coin/importCoins.ts'
import type { Database } from '../db/database.ts'
import { addDatabaseOptions, type ConfigOptions } from './configOptions.ts'
import type { CliContext } from './context.ts'
import { createProgress } from './createProgress.ts'
import type { Print } from './print.ts'
import { readCoinFile } from './readCoinFile.ts'
import { withDatabase } from './withDatabase.ts'

/** Records stored in one transaction. */
const batchSize = 2_000

type ImportOptions = ConfigOptions & { network: string; json?: boolean }

export function coinsCommand(context: CliContext): Command {
  return new Command('coins').description('coins of Aptos-style networks').addCommand(importCommand(context))
}

function importCommand(context: CliContext): Command {
  const { print, signal } = context
  return addDatabaseOptions(new Command('import'))
    .description('read coin records from a file; they are marked until the chain confirms them')
    .argument('<file>', 'JSON lines, or CSV with the names of the fields in its first line')
    .option('--network <name>', 'network that the coins are of', 'mainnet')
    .option('--json', 'print JSON')
    .action((file: string, options: ImportOptions) =>
      withDatabase({ ...options, create: true }, context, async (db) => {
        const outcome = await importFile(db, { file, network: options.network, print, signal })
        const { read, added, replaced } = outcome
        if (options.json) print.json({ network: options.network, ...outcome })
        else
          print.line(
            `${read} records of ${options.network}: ${added} new, ${replaced} earlier than known, ${read - added - replaced} known`,
          )
      }),
    )
}

/** Stores batch by batch; what was stored before a fault stays, and the same file can simply be read again. */
async function importFile(
  db: Database,
  { file, network, print, signal }: { file: string; network: string; print: Print; signal: AbortSignal },
): Promise<{ read: number; added: number; replaced: number }> {
  const { size, coins } = await readCoinFile(file)
  const id = await networkIdOf(db, network)
  const progress = createProgress(print)
  const total = { read: 0, added: 0, replaced: 0 }
  let batch: Coin[] = []

  async function store(bytes: number): Promise<void> {
    const { added, replaced } = await importCoins(db, id, batch)
    total.read += batch.length
    total.added += added
    total.replaced += replaced
    batch = []
    progress.update(size === 0 ? 1 : bytes / size, `${total.read} records`)
  }

  try {
    for await (const { coin, bytes } of coins) {
      signal.throwIfAborted()
      batch.push(coin)
      if (batch.length >= batchSize) await store(bytes)
    }
    if (batch.length > 0) await store(size)
  } finally {
    progress.stop()
  }
  return total
}
