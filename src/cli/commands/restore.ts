import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { Command } from 'commander'
import type { BackupHead } from '../../db/backup/backupFormat.ts'
import { restoreBackup } from '../../db/backup/restoreBackup.ts'
import type { Transaction } from '../../db/database.ts'
import { pauseRestored, readSendingStreams } from '../../stream/definition/pauseStreams.ts'
import { ConfigError, NotFoundError } from '../../util/errors.ts'
import { noopLog } from '../../util/log.ts'
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
    .option('--paused', 'pause all streams (the default; at a terminal the command prompts first)')
    .option('--active', 'active streams send webhooks once a server starts: the original server is stopped permanently')
    .option('--json', 'print JSON')
    .action(async (path: string, options: RestoreOptions) => {
      if (options.paused && options.active) throw new ConfigError('--paused and --active cannot be combined')
      if (!existsSync(path)) throw new NotFoundError(`there is no file ${path}`)
      const { db, close } = await openDatabase(await configFrom(options, { secrets }), signal, { print })
      const streams = { active: 0, paused: 0 }
      try {
        const { head, tables, skipped } = await restoreBackup({
          db,
          path,
          log: noopLog,
          signal,
          ...(print.interactive && { onTable: (table: string) => print.note(`filling ${table} …`) }),
          async onFilled(tx, head) {
            const ids = await readSendingStreams(tx)
            const send =
              options.active ?? (ids.length > 0 && !options.paused && (await confirmSending(context, tx, ids, head)))
            if (!send) await pauseRestored(tx, ids, pausedReason(head))
            streams[send ? 'active' : 'paused'] = ids.length
          },
        })
        if (options.json) print.json({ ...head, tables, skipped, streams })
        else print.line(`restored ${tables} tables as they were at ${head.createdAt} (Mintmark ${head.version})`)
        if (skipped.length > 0) print.note(`skipped tables of other programs: ${skipped.join(', ')}`)
        if (streams.paused > 0)
          print.note(
            `${streams.paused} streams are paused and send nothing. A stream that is set active (POST /streams/evm/ID/status) sends all of its pending webhooks, also those since the backup; --active pauses no stream`,
          )
        if (streams.active > 0)
          print.note(
            `${streams.active} streams send webhooks once a server starts here: the original server must not run any more`,
          )
      } finally {
        await close()
      }
    })
}

function pausedReason({ createdAt }: BackupHead): string {
  return `paused by the restore of a backup of ${createdAt}: set it active to send its pending webhooks`
}

/** Whether the person at the terminal confirms that the original no longer runs; false if there is no terminal. */
async function confirmSending(
  { prompt, signal }: CliContext,
  tx: Transaction,
  ids: string[],
  head: BackupHead,
): Promise<boolean> {
  if (!prompt) return false
  const alive = await originalsHere(tx)
  const seen = alive.length > 0 ? ` Process ${alive.join(', ')} on this machine may be the original.` : ''
  return prompt(
    `The backup of ${head.createdAt} contains ${ids.length} active streams. If the original server still runs, every webhook is sent twice.${seen} Is the original stopped permanently, and should the streams send?`,
    signal,
  )
}

/**
 * Servers in the backup with this machine's name and the id of a running process: the original, or a process that
 * reuses its id.
 */
async function originalsHere(tx: Transaction): Promise<number[]> {
  const rows = await tx.rows<[number]>('SELECT DISTINCT pid FROM worker WHERE host = $1 AND pid <> $2', [
    hostname(),
    process.pid,
  ])
  return rows.map(([pid]) => pid).filter(isAlive)
}
