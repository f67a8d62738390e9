import { join, relative } from 'node:path'

/**
 * Where a file of this package is, as a reader in the present folder can open it: `docs/spam.md` in a clone,
 * `node_modules/mintmark/docs/spam.md` beside an installed package, and the whole path elsewhere.
 */
export function packagePath(file: string): string {
  const path = join(import.meta.dirname, '../../..', file)
  const near = relative(process.cwd(), path)
  return near.startsWith('../..') ? path : near
}
