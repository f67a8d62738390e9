import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { endWithThisProcess } from './endWithThisProcess.ts'
import { scratchFolder } from './scratchFolder.ts'

/** Starts and stops a cluster: `start DIR PORT`, `stop DIR`, `worker-stop DIR N`, `worker-start DIR N`. Installs what it needs, as root. */
const script = join(import.meta.dirname, '../../shared/citus/cluster.sh')

/** Why no cluster can be started; undefined: one can. */
export const clusterMissing =
  existsSync(script) && process.getuid?.() === 0
    ? undefined
    : 'skipped, as ../shared/citus is absent or this is not root'

export type CitusCluster = {
  /** The coordinator's, as a superuser. */
  url: string
  /** Ends worker 1 or 2 as a crash would. */
  stopWorker(number: 1 | 2): Promise<void>
  startWorker(number: 1 | 2): Promise<void>
  end(): Promise<void>
}

/** A coordinator and two workers on free ports, in a temporary folder. Takes five seconds; more where they are to be installed. */
export async function startCitusCluster(): Promise<CitusCluster> {
  const folder = await scratchFolder('mintmark-citus-')
  const reaper = endWithThisProcess(folder)
  const run = async (command: string, ...rest: string[]) => {
    const { stdout } = await promisify(execFile)(script, [command, folder, ...rest])
    return stdout.trim().split('\n').at(-1) ?? ''
  }
  const url = await run('start', String(await freePorts(3))).catch(async (error: unknown) => {
    await reaper.end()
    throw error
  })
  return {
    url,
    stopWorker: async (number) => void (await run('worker-stop', String(number))),
    startWorker: async (number) => void (await run('worker-start', String(number))),
    async end() {
      await run('stop')
      await reaper.end()
    },
  }
}

/** The first of `count` ports in a row that nothing listens on, below those that systems give to outgoing connections. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 12_000)
    const ports = Array.from({ length: count }, (_, i) => first + i)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
