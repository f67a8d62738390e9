import { readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../util/log.ts'
import { sendSignal } from '../../util/signals.ts'
import { DataDirInUseError } from './dataDirLock.ts'
import { listProcesses } from './processes.ts'
import { socketPort } from './socketFolder.ts'

export type SurvivorOptions = { cluster: string; clusterName: string; socketFolder: string; log: Log }

type Step = { signal?: NodeJS.Signals; waitMs: number }

/** Fast shutdown, immediate shutdown, then SIGKILL, after which the next start recovers from the WAL. */
const postmasterSteps: readonly Step[] = [
  { signal: 'SIGINT', waitMs: 20_000 },
  { signal: 'SIGQUIT', waitMs: 6_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
]

/** Backends end by themselves once they notice that their postmaster died; one within a long statement does not notice it. */
const backendSteps: readonly Step[] = [
  { waitMs: 1_000 },
  { signal: 'SIGTERM', waitMs: 3_000 },
  { signal: 'SIGKILL', waitMs: 5_000 },
]

/**
 * Ends the PostgreSQL that a killed service left on the cluster, waits for its backends, and removes the files that mark it as running. The caller
 * holds the lock of the data folder, so no other process starts one meanwhile. A normally stopped cluster has no postmaster.pid, and nothing is done.
 * The process id in postmaster.pid may belong to any process by now (a reboot, a long time), and PostgreSQL would refuse to start for it. So
 * processes are identified by their command lines: the postmaster was started with the cluster's name as an argument, and its children have it in
 * their titles.
 */
export async function endSurvivors({ cluster, clusterName, socketFolder, log }: SurvivorOptions): Promise<void> {
  if (!(await isMarkedRunning(cluster))) return
  const postmasters = async () =>
    (await listProcesses()).filter((p) => p.args.includes(`cluster_name=${clusterName}`)).map((p) => p.pid)
  const backends = async () =>
    (await listProcesses()).filter((p) => p.args[0]?.startsWith(`postgres: ${clusterName}:`)).map((p) => p.pid)

  const ended = [...(await end(postmasters, postmasterSteps)), ...(await end(backends, backendSteps))]
  if (ended.length > 0) log.info({ pids: ended }, 'PostgreSQL of an earlier process stopped')
  // A PostgreSQL in another container on the same volume is not in the process list, but it answers.
  if (await answers(join(socketFolder, `.s.PGSQL.${socketPort}`)))
    throw new DataDirInUseError(`a PostgreSQL that this process cannot see runs on ${cluster}: stop it first`)
  for (const name of ['postmaster.pid', `.s.PGSQL.${socketPort}`, `.s.PGSQL.${socketPort}.lock`])
    await rm(join(cluster, name), { force: true })
}

async function isMarkedRunning(cluster: string): Promise<boolean> {
  return (await readdir(cluster)).includes('postmaster.pid')
}

/** Takes the steps until `list` is empty. Returns the processes that it contained at first. */
async function end(list: () => Promise<number[]>, steps: readonly Step[]): Promise<number[]> {
  const first = await list()
  let remaining = first
  for (const { signal, waitMs } of steps) {
    if (signal) for (const pid of remaining) sendSignal(pid, signal)
    const deadline = Date.now() + waitMs
    while (remaining.length > 0 && Date.now() < deadline) {
      await delay(20)
      remaining = await list()
    }
    if (remaining.length === 0) return first
  }
  throw new DataDirInUseError(`PostgreSQL processes of an earlier start cannot be ended: ${remaining.join(', ')}`)
}

/** True if something accepts connections on the socket. */
function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
