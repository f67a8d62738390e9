import { Command } from 'commander'
import { readVersion } from '../readVersion.ts'
import { backupCommand } from './commands/backup.ts'
import { chainsCommand } from './commands/chains.ts'
import { coinsCommand } from './commands/coins.ts'
import { collectionsCommand } from './commands/collections.ts'
import { compareCommand } from './commands/compare.ts'
import { configCommand } from './commands/configCommand.ts'
import { dbCommand } from './commands/db.ts'
import { demoCommand } from './commands/demo.ts'
import { exportCommand } from './commands/exportCollection.ts'
import { flagCommand } from './commands/flag.ts'
import { indexCommand } from './commands/indexCollection.ts'
import { keysCommand } from './commands/keys.ts'
import { listenCommand } from './commands/listen.ts'
import { mcpCommand } from './commands/mcp.ts'
import { migrateCommand } from './commands/migrate.ts'
import { rebalanceCommand } from './commands/rebalance.ts'
import { restoreCommand } from './commands/restore.ts'
import { snapshotCommand } from './commands/snapshot.ts'
import { startCommand } from './commands/start.ts'
import { statusCommand } from './commands/status.ts'
import { streamsCommand } from './commands/streams.ts'
import { verifyCommand } from './commands/verify.ts'
import { walletsCommand } from './commands/wallets.ts'
import type { CliContext } from './context/context.ts'
import type { Print } from './report/print.ts'

/** All commands. A command-line error prints one line to standard error and throws a CommanderError. */
export function createProgram(context: CliContext): Command {
  const program = new Command('mintmark')
    .description('A self-hosted chain-data server: NFTs of a contract, coins, and signed webhooks, from your own node.')
    .version(readVersion())
    .addCommand(startCommand(context))
    .addCommand(demoCommand(context))
    .addCommand(indexCommand(context))
    .addCommand(chainsCommand(context))
    .addCommand(coinsCommand(context))
    .addCommand(collectionsCommand(context))
    .addCommand(configCommand(context))
    .addCommand(dbCommand(context))
    .addCommand(exportCommand(context))
    .addCommand(flagCommand(context))
    .addCommand(keysCommand(context))
    .addCommand(migrateCommand(context))
    .addCommand(rebalanceCommand(context))
    .addCommand(backupCommand(context))
    .addCommand(restoreCommand(context))
    .addCommand(snapshotCommand(context))
    .addCommand(statusCommand(context))
    .addCommand(streamsCommand(context))
    .addCommand(verifyCommand(context))
    .addCommand(compareCommand(context))
    .addCommand(walletsCommand(context))
    .addCommand(listenCommand(context))
    .addCommand(mcpCommand(context))
  throwInsteadOfExit(program, context.print)
  rejectOptionsAsValues(program)
  return program
}

function throwInsteadOfExit(command: Command, print: Print): void {
  command.exitOverride().configureOutput({
    outputError: (text) => {
      const fault = text
        .replace(/^error: /, '')
        .trim()
        .replace(/\.$/, '')
      print.note(`mintmark: ${fault}: see "${pathOf(command)} --help"`)
    },
  })
  for (const child of command.commands) throwInsteadOfExit(child, print)
}

/**
 * Rejects an empty value, and a value that begins with `--`: it is the next option, which Commander would take as the
 * value. An unset shell variable causes an empty value.
 */
function rejectOptionsAsValues(command: Command): void {
  for (const option of command.options.filter(({ required, optional }) => required || optional)) {
    const parse = option.parseArg
    option.argParser((value, previous) => {
      if (value.startsWith('--') || (value === '' && !parse))
        command.error(`error: option '${option.flags}' argument missing`)
      return parse ? parse(value, previous) : value
    })
  }
  for (const child of command.commands) rejectOptionsAsValues(child)
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}
