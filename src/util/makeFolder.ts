import { mkdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder where it is missing, and those above it, for their owner alone. Step by step: Node's own way (`recursive`) never
 * ends where a folder that exists takes no other, as /proc does. Throws what the system says.
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

/** False where there is nothing of that name; throws where it is something else, or cannot be looked at. */
async function isFolder(path: string): Promise<boolean> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (found && !found.isDirectory())
    throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: 'ENOTDIR' })
  return found !== undefined
}
