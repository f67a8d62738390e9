import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { BuiltConsole, BuiltFile } from '../../api/console/consoleFiles.ts'

/** Reads a built console into memory, each file with the compressed variants beside it. undefined: the folder does not exist. */
export function readConsole(folder: string): BuiltConsole | undefined {
  const bytes = new Map<string, Buffer>()
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) {
        const path = join(entry.parentPath, entry.name)
        bytes.set(relative(folder, path).replaceAll(sep, '/'), readFileSync(path))
      }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const files = new Map<string, BuiltFile>()
  for (const [path, own] of bytes)
    if (!/\.(?:br|gz)$/.test(path))
      files.set(path, { bytes: own, br: bytes.get(`${path}.br`), gzip: bytes.get(`${path}.gz`) })
  return files
}
