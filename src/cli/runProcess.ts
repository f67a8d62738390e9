import { createSecrets } from '../util/urls/secrets.ts'
import { openLog } from './context/openLog.ts'
import { onNpmExit } from './onNpmExit.ts'
import { runCli } from './runCli.ts'

/** Ctrl-C may arrive twice: from the terminal, and from npm or the launcher that forwards it. */
const echoMs = 500
/** The sender of the signal, such as systemd, expects the process to exit within 10 s. */
const stopMs = 9_500

/** Runs the command line of this process: signals stop it, and the exit code is that of the command. */
export async function runProcess(): Promise<void> {
  const controller = new AbortController()
  const secrets = createSecrets()
  let firstAt: number | undefined

  function stop(reason: string): void {
    if (firstAt === undefined) {
      firstAt = performance.now()
      setTimeout(() => process.exit(1), stopMs).unref()
      controller.abort(reason)
    } else if (performance.now() - firstAt > echoMs) process.exit(130)
  }

  process.on('SIGTERM', () => stop('SIGTERM'))
  process.on('SIGINT', () => stop('SIGINT'))
  // A closed terminal ends its processes; under nohup, none is attached to one.
  process.on('SIGHUP', () => {
    if (process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY) stop('SIGHUP')
  })
  // The launcher has the other end. The channel closes when it exits, also by kill -9.
  process.on('disconnect', () => stop('the launcher has exited'))
  process.channel?.unref()
  onNpmExit(() => stop('npm has exited'))

  // For example `mintmark status | head`: output without a reader is dropped, and the command ends.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      if (firstAt === undefined) stop('SIGPIPE')
    })

  async function crash(err: unknown): Promise<void> {
    const log = await openLog({ level: 'error', mask: secrets.mask })
    log.error({ err }, 'crashed')
    process.exit(1)
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)

  const interrupted = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGPIPE: 141 } as Record<string, number>
  process.exitCode = await runCli(process.argv.slice(2), controller.signal, process, secrets)
  if (controller.signal.aborted && process.exitCode !== 0) process.exitCode = interrupted[controller.signal.reason] ?? 1
  // A finished command must exit, even if something keeps the event loop alive.
  setTimeout(() => process.exit(), 1_000).unref()
}
