import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { baseModules, modules, webModules, webView } from '../lint/layers.ts'

/** Writes the linter's layer rules to lint/layers.json. With --check it only reports whether the file is up to date. */

const root = join(import.meta.dirname, '..')
const file = join(root, 'lint/layers.json')
const words = (text: string) => text.split(' ').filter((word) => word !== '')
const base = words(baseModules)

/** Returns the folders below a folder of `src/` that contain files. */
function foldersOf(folder: string): string[] {
  const entries = readdirSync(join(root, 'src', folder), { withFileTypes: true })
  const below = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => foldersOf(posix.join(folder, name)))
  return folder !== '' && entries.some((entry) => entry.isFile()) ? [folder, ...below] : below
}

/** Throws if modules import each other in a cycle. */
function rejectCircles(table: Record<string, string>): void {
  const done = new Set<string>()
  const under = (module: string, path: readonly string[]): void => {
    if (done.has(module)) return
    if (path.includes(module)) throw new Error(`lint/layers.ts has a circle: ${[...path, module].join(' -> ')}`)
    for (const next of words(table[module] ?? '')) under(next, [...path, module])
    done.add(module)
  }
  for (const module of Object.keys(table)) under(module, [])
}

/** Returns the rule of one folder: its files may only import what the table allows. */
function override(folder: string): object {
  const allowed = modules[folder]
  if (allowed === undefined) throw new Error(`src/${folder} is not in lint/layers.ts: say there what it may import`)
  const relative = (target: string) => {
    const path = posix.relative(folder, target)
    return path.startsWith('.') ? path : `./${path}`
  }
  const patterns =
    allowed === '*'
      ? [
          {
            message: 'The product imports nothing from test, bench, simulation or scripts.',
            group: ['**/{test,bench,simulation,scripts}/**'],
          },
        ]
      : [
          {
            message: `src/${folder} may not import this: lint/layers.ts says what it may.`,
            group: [
              '../**',
              './*/**',
              ...[...base, ...words(allowed)].map(
                (module) => `!${relative(module)}${module.endsWith('.ts') ? '' : '/*.ts'}`,
              ),
            ],
          },
        ]
  return {
    includes: [`**/src/${folder}/*.ts`, '!**/*.test.ts'],
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
  }
}

/** Returns the rules of the files in `src/` itself. Files of the base layer import only the base layer, others only `src/`. */
function ownFiles(): object[] {
  const files = base.filter((module) => module.endsWith('.ts'))
  const rule = (includes: string[], message: string, group: string[]) => ({
    includes: [...includes, '!**/*.test.ts'],
    linter: {
      rules: { style: { noRestrictedImports: { level: 'error', options: { patterns: [{ message, group }] } } } },
    },
  })
  const others = ['**/src/*.ts', ...files.map((name) => `!**/src/${name}`)]
  return [
    rule(
      files.map((name) => `**/src/${name}`),
      'The base layer (util, errors, log, metrics) imports the base layer only.',
      ['./**', '../**', ...base.map((module) => `!./${module}${module.endsWith('.ts') ? '' : '/*.ts'}`)],
    ),
    rule(others, 'The product imports nothing from test, bench, simulation or scripts.', ['../**']),
  ]
}

/** Returns the rules of the console's folders. Each folder is a module with its subfolders, and so is each view. */
function webRules(): object[] {
  const rule = (folder: string, up: string, allowed: readonly string[]) => {
    const message = 'web/ imports nothing of src/, and lint/layers.ts says which of its own folders may import this.'
    const group = [`${up}**`, ...allowed.map((path) => `!${path}/**`)]
    return {
      includes: [`**/web/${folder}*.{ts,tsx}`, '!**/*.test.ts'],
      linter: {
        rules: { style: { noRestrictedImports: { level: 'error', options: { patterns: [{ message, group }] } } } },
      },
    }
  }
  const folders = readdirSync(join(root, 'web'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const unknown = folders.map(({ name }) => name).filter((name) => name !== 'style' && !(name in webModules))
  if (unknown.length > 0) throw new Error(`not in lint/layers.ts: ${unknown.map((name) => `web/${name}`).join(', ')}`)
  const from = (up: string, modules: string) => words(modules).map((module) => `${up}${module}`)
  return [
    ...Object.entries(webModules).map(([module, allowed]) => rule(`${module}/`, '../', from('../', allowed))),
    rule('parts/*/', '../../', from('../../', webModules.parts!)),
    rule('views/*/', '../', from('../../', webView)),
    rule('views/*/*/', '../../', from('../../../', webView)),
    rule('', '../', []),
  ]
}

rejectCircles(modules)
rejectCircles(webModules)
const folders = foldersOf('').filter((folder) => !base.includes(folder))
const removed = Object.keys(modules).filter((module) => !folders.includes(module))
if (removed.length > 0) throw new Error(`lint/layers.ts names folders that are not in src/: ${removed.join(', ')}`)
const baseFolders = base.filter((module) => !module.endsWith('.ts'))
for (const module of baseFolders) modules[module] = ''
const overrides = [...ownFiles(), ...[...baseFolders, ...folders].map(override), ...webRules()].map((rule) =>
  JSON.stringify(rule),
)
const text = `{ "overrides": [\n${overrides.join(',\n')}\n] }\n`
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('lint/layers.json is not what lint/layers.ts gives: run npm run docs')
  process.exitCode = 1
}
