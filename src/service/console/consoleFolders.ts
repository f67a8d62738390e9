import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** In a clone: the build script of the console, and the folder of a build of exactly these sources. */
export type ConsoleSources = { script: string; built: string }

/** The folder of `package.json`, at the same relative path in a clone and in the package. */
const root = join(import.meta.dirname, '../../..')

/** The built console in the package. */
export const packagedConsole = join(import.meta.dirname, '../../console')

/** undefined: this is not a clone. */
export function consoleSources(): ConsoleSources | undefined {
  const script = join(root, 'scripts/buildConsole.ts')
  const web = join(root, 'web')
  if (!existsSync(script) || !existsSync(web)) return undefined
  return { script, built: join(root, 'node_modules/.cache/console', sourcesHash(web, script)) }
}

/**
 * Identifies the sources: any change of them, of the build steps or of the tools' versions results in another name. Type packages are not part of a
 * build.
 */
function sourcesHash(web: string, script: string): string {
  const files = readdirSync(web, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.artifact.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
  const hash = createHash('sha256')
  for (const file of [...files, script, join(root, 'package-lock.json')]) {
    const bytes = readFileSync(file)
    hash.update(`${file.slice(root.length)} ${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex').slice(0, 16)
}
