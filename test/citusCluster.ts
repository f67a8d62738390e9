import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { env } from 'node:process'
import { promisify } from 'node:util'
import { allocation } from '../src/db/embedded/program.ts'
import { endWithThisProcess } from './endWithThisProcess.ts'
import { freePorts } from './freePort.ts'
import { scratchFolder } from './scratchFolder.ts'

/** Starts and stops a cluster: `start DIR PORT`, `stop DIR`, `worker-stop DIR N`, `worker-start DIR N`. Installs what it needs, as root. */
const script = join(import.meta.dirname, '../../shared/citus/cluster.sh')

/** Why no cluster can be started; undefined: one can. */
export const clusterMissing =
  existsSync(script) && process.getuid?.() === 0
    ? undefined
    : 'skipped, as ../shared/citus is absent or this is not root'

/** Longest time of one of these in milliseconds, for where what is to be installed cannot be fetched. */
const mostMs = 180_000

/** How often a coordinator is started in vain before that is a fault; an attempt takes a tenth of a second at least. */
const mostStarts = 50

/** An extension may need a later minor version of PostgreSQL 15 than a machine was made with. */
function isTooOld(folder: string): boolean {
  const log = join(folder, '0/log')
  return existsSync(log) && readFileSync(log, 'utf8').includes('undefined symbol')
}

/** Debian's latest minor version; waits where another test installs it. */
async function bringUpToDate(): Promise<void> {
  const aptGet = (...rest: string[]) =>
    promisify(execFile)(
      'env',
      ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', '-o', 'DPkg::Lock::Timeout=120', ...rest],
      { timeout: mostMs },
    )
  await aptGet('update')
  await aptGet('install', '-y', '--no-install-recommends', 'postgresql-15')
}

export type CitusCluster = {
  /** The coordinator's, as a superuser. */
  url: string
  /** Ends worker 1 or 2 as a crash would. */
  stopWorker(number: 1 | 2): Promise<void>
  startWorker(number: 1 | 2): Promise<void>
  /** kill -9 of the coordinator's postmaster, which is started again. */
  restartCoordinator(): Promise<void>
  end(): Promise<void>
}

/** A coordinator and two workers on free ports, in a temporary folder. Takes five seconds; more where they are to be installed. */
export async function startCitusCluster(): Promise<CitusCluster> {
  const folder = await scratchFolder('mintmark-citus-')
  const reaper = endWithThisProcess(folder)
  const run = async (command: string, ...rest: string[]) => {
    const { stdout } = await promisify(execFile)(script, [command, folder, ...rest], {
      timeout: mostMs,
      env: { ...env, ...allocation },
    })
    return stdout.trim().split('\n').at(-1) ?? ''
  }
  const start = async () => run('start', String(await freePorts(3)))
  const url = await start()
    .catch(async (error: unknown) => {
      if (!isTooOld(folder)) throw error
      await bringUpToDate()
      await rm(folder, { recursive: true })
      return start()
    })
    .catch(async (error: unknown) => {
      await reaper.end()
      throw error
    })
  return {
    url,
    stopWorker: async (number) => void (await run('worker-stop', String(number))),
    startWorker: async (number) => void (await run('worker-start', String(number))),
    async restartCoordinator() {
      const [pid] = readFileSync(join(folder, '0', 'postmaster.pid'), 'utf8').split('\n')
      process.kill(Number(pid), 'SIGKILL')
      // Its processes end a moment later, and keep its memory until then.
      const start = () =>
        run('worker-start', '0').then(
          () => true,
          () => false,
        )
      for (let left = mostStarts; !(await start()); left--)
        if (left === 0) throw new Error('the coordinator does not start again')
    },
    async end() {
      await run('stop')
      await reaper.end()
    },
  }
}
