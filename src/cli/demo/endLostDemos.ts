import { existsSync } from 'node:fs'
import { lstat, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataDirInUseError, lockDataDir } from '../../db/embedded/dataDirLock.ts'
import { clusterName } from '../../db/embedded/settings.ts'
import { endSurvivors } from '../../db/embedded/survivors.ts'
import { describeError } from '../../util/errors.ts'
import type { Log } from '../../util/log.ts'

/** Temporary folders of demos begin with this; the database is in `data` below. */
export const demoFolderPrefix = 'mintmark-demo-'

/**
 * A demo that was killed outright leaves its PostgreSQL and its folder, and no later demo would come by: each one has a
 * folder of its own. So the next demo ends what no living process holds any more.
 */
export async function endLostDemos(log: Log): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(demoFolderPrefix)) continue
    const folder = join(tmpdir(), name)
    try {
      const { uid } = await lstat(folder)
      // Another user's folder is not ours to judge, and as root we would follow whatever was put there.
      if (uid === process.getuid?.()) await endLostDemo(folder, log)
    } catch (error) {
      if (!(error instanceof DataDirInUseError))
        log.warn({ folder, reason: describeError(error) }, 'stale demo not removed')
    }
  }
}

async function endLostDemo(folder: string, log: Log): Promise<void> {
  const dataDir = join(folder, 'data')
  // One that is still starting has no data folder yet.
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
