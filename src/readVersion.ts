import { readFileSync } from 'node:fs'

/** The version in package.json, which is one folder above in a clone and in the published package. */
export function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version
}
