import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What the databases of one run take at most, with room to spare, in bytes. */
const room = 4 * 2 ** 30

/**
 * A new folder for what a run throws away: in memory where that has room, since a disk takes as much time for the
 * thousand files of each database as the tests take for their work; in a container, /dev/shm is mostly too small.
 */
export async function scratchFolder(prefix: string): Promise<string> {
  const memory = '/dev/shm'
  const roomy = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize > room,
    () => false,
  )
  return mkdtemp(join(roomy ? memory : tmpdir(), prefix))
}
