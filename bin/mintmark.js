#!/usr/bin/env node
// Any Node that the package can be installed with (`engines`) runs this file; Mintmark itself needs Node 24, which the dependency `node` brings along.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const needed = 24
const root = dirname(dirname(fileURLToPath(import.meta.url)))
// A clone runs its sources as they stand; the published package holds no sources, for Node strips no types under node_modules.
const source = join(root, 'src', 'main.ts')
const entry = existsSync(source) ? source : join(root, 'dist', 'main.js')

if (Number.parseInt(process.versions.node, 10) >= needed) await import(pathToFileURL(entry).href)
else launch()

function launch() {
  const node = findNode()
  if (!node) {
    const platform = platformPackage()
    process.stderr.write(
      `mintmark: needs Node ${needed}, this is ${process.versions.node}, and the one that its dependency "node" brings was not installed, ` +
        `most likely because install scripts are blocked: run "npm install ${platform}@${needed}" beside mintmark (it has no script), or use Node ${needed}\n`,
    )
    process.exitCode = 1
    return
  }
  // The fourth stream is how the child notices that this process is gone, even by kill -9: the channel closes.
  const child = spawn(node, [entry, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  // A terminal's Ctrl-C reaches both processes: the child takes signals that come together for one.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`mintmark: ${node} cannot be started: ${error.message}\n`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal] ?? 0))
  })
}

function platformPackage() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  return `${platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${process.arch}`
}

/** The Node 24 of the dependency `node`, or of the package for this platform that it is made from. */
function findNode() {
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  for (const name of ['node', platformPackage()]) {
    const manifest = resolve(`${name}/package.json`)
    if (!manifest || Number.parseInt(JSON.parse(readFileSync(manifest, 'utf8')).version, 10) < needed) continue
    const path = join(dirname(manifest), 'bin', file)
    if (existsSync(path)) return path
  }
  return undefined
}

function resolve(specifier) {
  try {
    return createRequire(import.meta.url).resolve(specifier)
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND' || error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined
    throw error
  }
}
