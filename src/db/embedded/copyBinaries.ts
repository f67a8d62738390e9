import { chmod, copyFile, lstat, mkdir, mkdtemp, readdir, readlink, rename, rm, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Binaries, linkLibraries } from './binaries.ts'
import { EmbeddedPostgresUnavailableError } from './program.ts'

export type BinariesCopy = {
  folder: string
  /** False if the copy existed before. */
  fresh: boolean
}

/**
 * Copies the binaries to `target`, readable by all users and writable only by this one. An existing copy is complete, as a copy gets its name last;
 * it is used unchanged unless `replace`.
 */
export async function copyBinaries(options: {
  binaries: Binaries
  target: string
  replace: boolean
}): Promise<BinariesCopy> {
  const { binaries, target, replace } = options
  const parent = dirname(target)
  if (await mkdir(parent, { recursive: true })) await chmod(parent, 0o755)
  if (!replace && (await isOurs(target))) return { folder: target, fresh: false }
  const work = await mkdtemp(`${target}.`)
  try {
    await chmod(work, 0o755)
    await copyFolder(binaries.folder, work)
    await linkLibraries(binaries, work)
    if (replace) await rm(target, { recursive: true, force: true })
    await rename(work, target)
  } catch (error) {
    await rm(work, { recursive: true, force: true })
    const code = (error as NodeJS.ErrnoException).code
    // Another process copied at the same time and finished first.
    if ((code === 'ENOTEMPTY' || code === 'EEXIST') && (await isOurs(target))) return { folder: target, fresh: true }
    throw error
  }
  return { folder: target, fresh: true }
}

/**
 * Whether this user's copy exists. Throws if another user could have created or changed it: in /tmp every user may create a folder with that name.
 */
async function isOurs(target: string): Promise<boolean> {
  for (const folder of [dirname(target), target]) {
    const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (!found) return false
    const sticky = (found.mode & 0o1000) !== 0 && folder !== target
    if (!found.isDirectory() || found.uid !== process.getuid?.() || ((found.mode & 0o022) !== 0 && !sticky))
      throw new EmbeddedPostgresUnavailableError(`${folder} can be written by others, so nothing is run from it`)
  }
  return true
}

/** Static libraries and their descriptions are only for building against PostgreSQL: 2 of 60 MB. */
const unneeded = (name: string) => name.endsWith('.a') || name === 'pkgconfig'

/** Copies a folder and sets its modes, as a strict umask at the installation would exclude the other user. */
async function copyFolder(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (unneeded(entry.name)) continue
    const source = join(from, entry.name)
    const copy = join(to, entry.name)
    if (entry.isDirectory()) {
      await mkdir(copy)
      await chmod(copy, 0o755)
      await copyFolder(source, copy)
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), copy)
    } else {
      await copyFile(source, copy)
      await chmod(copy, basename(from) === 'bin' ? 0o755 : 0o644)
    }
  }
}
