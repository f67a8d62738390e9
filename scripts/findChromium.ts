import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Returns the path of a Chromium in PATH; undefined if there is none. */
export function findChromium(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: where programs are
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
}
