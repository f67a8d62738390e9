import { existsSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataDirInUseError, lockDataDir } from '../../db/embedded/dataDirLock.ts'
import { clusterName } from '../../db/embedded/settings.ts'
import { endSurvivors } from '../../db/embedded/survivors.ts'
import { describeError } from '../../util/errors.ts'
import type { Log } from '../../util/log.ts'

/** Prefix of demos' temporary folders; the database is in `data` below. */
export const demoFolderPrefix = 'mintmark-demo-'

/**
 * A killed demo leaves its PostgreSQL and its folder, and later demos use other folders. So each start cleans up demos
 * without a running process.
 */
export async function endLostDemos(log: Log): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(demoFolderPrefix)) continue
    const folder = join(tmpdir(), name)
    try {
      const { uid } = await lstat(folder)
      // Skips folders of other users: as root, we would trust whatever they contain.
      if (uid === process.getuid?.()) await endLostDemo(folder, log)
    } catch (error) {
      if (!(error instanceof DataDirInUseError))
        log.warn({ folder, reason: describeError(error) }, 'stale demo not removed')
    }
  }
}

async function endLostDemo(folder: string, log: Log): Promise<void> {
  const dataDir = join(folder, 'data')
  // A starting demo has no data folder yet.
  if (!existsSync(join(dataDir, 'lock'))) return
  const lock = lockDataDir(dataDir)
  try {
    const cluster = join(dataDir, 'postgres')
    if (existsSync(cluster))
      await endSurvivors({ cluster, clusterName: clusterName(cluster), socketFolder: cluster, log })
    await rm(folder, { recursive: true, force: true })
  } finally {
    lock.release()
  }
}
