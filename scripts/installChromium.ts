import { spawnSync } from 'node:child_process'
import { findChromium } from './findChromium.ts'

// Installs Debian's Chromium for the tests of the console, if there is none yet. It needs apt-get and root.
if (findChromium() === undefined) {
  const quiet = { stdio: 'inherit', env: { ...processEnvironment(), DEBIAN_FRONTEND: 'noninteractive' } } as const
  const wait = ['-o', 'DPkg::Lock::Timeout=300']
  spawnSync('apt-get', [...wait, 'update'], quiet)
  spawnSync('apt-get', [...wait, 'install', '-y', '--no-install-recommends', 'chromium'], quiet)
}
const found = findChromium()
console.log(found ?? 'Chromium cannot be installed here: the tests of the console need it, as `chromium` in PATH')
process.exitCode = found === undefined ? 1 : 0

function processEnvironment(): NodeJS.ProcessEnv {
  // biome-ignore lint/style/noProcessEnv: what apt-get inherits
  return process.env
}
