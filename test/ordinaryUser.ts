import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** `nobody` on Linux; needs no account. */
export const ordinaryUser = { uid: 65_534, gid: 65_534 }

/** True if this is root and another user can run this program: the folders above the sources and above Node are readable for all. */
export async function canRunAsOrdinaryUser(): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  const read = `require('node:fs').readdirSync(${JSON.stringify(import.meta.dirname)})`
  return promisify(execFile)(process.execPath, ['-e', read], { ...ordinaryUser, env: {} }).then(
    () => true,
    () => false,
  )
}
