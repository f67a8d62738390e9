import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder if it is missing, and missing parents, for their owner only. One by one, as Node's option `recursive` never ends if an existing
 * folder, such as /proc, accepts no new one. Throws the errors of the system.
 */
export async function makeFolder(path: string): Promise<void> {
  const missing: string[] = []
  for (let folder = resolve(path); !(await isFolder(folder)); folder = dirname(folder)) missing.unshift(folder)
  for (const folder of missing)
    await mkdir(folder, { mode: 0o700 }).catch(async (error: NodeJS.ErrnoException) => {
      // Another process created it meanwhile.
      if (error.code !== 'EEXIST' || !(await isFolder(folder))) throw error
    })
}

/** Whether a folder exists; false: nothing has that name. Throws if it is not a folder, or cannot be read. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (found && !found.isDirectory())
    throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: 'ENOTDIR' })
  return found !== undefined
}
