import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Free memory, in bytes, above which the databases of a run surely fit into it. */
const capacity = 4 * 2 ** 30

/**
 * The folder of a run's databases: in memory if that has enough space. On a disk, the thousand files of each database
 * take as long as the tests themselves. In a container, /dev/shm is usually too small, and no program can run from it.
 */
async function scratchParent(): Promise<string> {
  const memory = '/dev/shm'
  const roomy = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize > capacity,
    () => false,
  )
  return roomy ? memory : tmpdir()
}

/** A new folder for databases. The caller removes it. */
export async function scratchFolder(prefix: string): Promise<string> {
  return mkdtemp(join(await scratchParent(), prefix))
}
