import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { commandEnv } from './commandEnv.ts'
import { system } from './system.ts'

/** Prints the packages that each module loads, as JSON. */
const program = `
import { registerHooks } from 'node:module'
const packages = new Set()
registerHooks({
  load(url, context, next) {
    const name = /\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]
    if (name) packages.add(name)
    return next(url, context)
  },
})
const loaded = []
for (const module of process.argv.slice(1)) {
  packages.clear()
  await import(module)
  loaded.push([...packages])
}
process.stdout.write(JSON.stringify(loaded), () => process.exit())`

test('default: commands and the server load only the modules that their start needs', system, async () => {
  const modules = ['cli/runProcess.ts', 'service.ts'].map((path) => new URL(`../src/${path}`, import.meta.url).href)
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', program, '--', ...modules],
    { env: commandEnv },
  )
  const [command, server] = JSON.parse(stdout) as [string[], string[]]
  // Loading takes half of a command's time. Packages that most commands do not need are therefore loaded on demand.
  const onDemand = ['viem', '@grpc/grpc-js', 'protobufjs', '@ipld/car', 'ipfs-unixfs', 'yaml', 'sharp']
  expect(command).toContain('commander')
  expect(command).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(undici|hono|prom-client)$/)]))
  expect(server).toContain('undici')
  expect([...command, ...server].filter((name) => onDemand.includes(name))).toEqual([])
})
