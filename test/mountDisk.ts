import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'

const run = promisify(execFile)

/** Mounts a disk in memory at the folder until the test ends. Returns false if this user may not mount one. */
export async function mountDisk(folder: string, megabytes: number): Promise<boolean> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  )
  if (mounted) onTestFinished(async () => void (await run('umount', ['-l', folder])))
  return mounted
}
