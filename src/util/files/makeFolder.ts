import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder where it is missing, and missing ones above it, for their owner alone. One by one, as Node's option `recursive` never
 * ends where an existing folder takes no new one, as /proc. Throws the errors of the system.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = []
  for (let folder = resolve(path); !(await isFolder(folder)); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing)
    await mkdir(folder, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
      // Another process made it meanwhile.
      if (error.code !== 'EEXIST' || !(await isFolder(folder))) throw error
    })
}

/** Whether a folder is there; false: nothing has that name. Throws where something else has it, or it cannot be read. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (found && !found.isDirectory())
    throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: 'ENOTDIR' })
  return found !== undefined
}
