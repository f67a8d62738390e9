import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The program of a Chromium in PATH; undefined: there is none. */
export function findChromium(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: where programs are
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
}
