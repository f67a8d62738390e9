import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { Command } from 'commander'
import type { BackupHead } from '../../db/backup/backupFormat.ts'
import { restoreBackup } from '../../db/backup/restoreBackup.ts'
import type { Transaction } from '../../db/database.ts'
import { pauseRestored, readSendingStreams } from '../../stream/definition/pauseStreams.ts'
import { ConfigError, NotFoundError } from '../../util/errors.ts'
import { silentLog } from '../../util/log.ts'
import { isAlive } from '../../util/signals.ts'
import { addDatabaseOptions, type ConfigOptions, configFrom } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { openDatabase } from '../context/openDatabase.ts'

type RestoreOptions = ConfigOptions & { json?: boolean; paused?: boolean; active?: boolean }

export function restoreCommand(context: CliContext): Command {
  const { print, signal, secrets } = context
  return addDatabaseOptions(new Command('restore'))
    .description('fill an empty database from a backup: a new --data folder, or a new database of --database-url')
    .argument('<file>', 'file that "mintmark backup" wrote, of this version or an older one')
    .option('--paused', 'streams send nothing until they are set active (the default; a terminal is prompted)')
    .option('--active', 'active streams send as soon as a server starts: the original is stopped for good')
    .option('--json', 'print JSON')
    .action(async (path: string, options: RestoreOptions) => {
      if (options.paused && options.active) throw new ConfigError('--paused and --active exclude each other')
      if (!existsSync(path)) throw new NotFoundError(`there is no file ${path}`)
      const { db, close } = await openDatabase(await configFrom(options, { secrets }), signal)
      const streams = { active: 0, paused: 0 }
      try {
        const { head, tables, skipped } = await restoreBackup({
          db,
          path,
          log: silentLog,
          signal,
          ...(print.interactive && { onTable: (table: string) => print.note(`filling ${table} …`) }),
          async onFilled(tx, head) {
            const ids = await readSendingStreams(tx)
            const send =
              options.active ?? (ids.length > 0 && !options.paused && (await askToSend(context, tx, ids, head)))
            if (!send) await pauseRestored(tx, ids, pausedReason(head))
            streams[send ? 'active' : 'paused'] = ids.length
          },
        })
        if (options.json) print.json({ ...head, tables, skipped, streams })
        else print.line(`restored ${tables} tables as they were at ${head.createdAt} (Mintmark ${head.version})`)
        if (skipped.length > 0) print.note(`omitted, as they are not Mintmark's: ${skipped.join(', ')}`)
        if (streams.paused > 0)
          print.note(
            `${streams.paused} streams are paused and send nothing. Once set active (POST /streams/evm/ID/status), each sends all of its pending webhooks, those since the backup included; --active pauses none`,
          )
        if (streams.active > 0)
          print.note(
            `${streams.active} streams send as soon as a server starts here: the original must not run any more`,
          )
      } finally {
        await close()
      }
    })
}

function pausedReason({ createdAt }: BackupHead): string {
  return `paused by the restore of a backup of ${createdAt}: set it active to send its pending webhooks`
}

/** Whether the person at the terminal confirms that the original no longer runs; false where there is no terminal. */
async function askToSend(
  { ask, signal }: CliContext,
  tx: Transaction,
  ids: string[],
  head: BackupHead,
): Promise<boolean> {
  if (!ask) return false
  const alive = await originalsHere(tx)
  const seen = alive.length > 0 ? ` Process ${alive.join(', ')} of this machine may be it.` : ''
  return ask(
    `The backup of ${head.createdAt} holds ${ids.length} streams that send. Beside a server that still runs on the original they would send everything twice.${seen} Is the original stopped for good, and shall they send?`,
    signal,
  )
}

/** Servers that the backup knows by this machine's name and a process that lives: the original, or one that got its number. */
async function originalsHere(tx: Transaction): Promise<number[]> {
  const rows = await tx.rows<[number]>('SELECT DISTINCT pid FROM worker WHERE host = $1 AND pid <> $2', [
    hostname(),
    process.pid,
  ])
  return rows.map(([pid]) => pid).filter(isAlive)
}
