import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Free memory, in bytes, above which the databases of a run surely fit into it. */
const room = 4 * 2 ** 30

/**
 * Where a run makes the folders of its databases: in memory where that has space, since a disk takes as much time for
 * the thousand files of each database as the tests take for their work. In a container, /dev/shm is mostly too small,
 * and no program can be run from it.
 */
async function scratchParent(): Promise<string> {
  const memory = '/dev/shm'
  const roomy = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize > room,
    () => false,
  )
  return roomy ? memory : tmpdir()
}

/** A new folder for databases, which the caller removes. */
export async function scratchFolder(prefix: string): Promise<string> {
  return mkdtemp(join(await scratchParent(), prefix))
}
