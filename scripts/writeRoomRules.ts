import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { ground, rooms, webRooms, webView } from '../lint/rooms.ts'

/** Writes the linter's rules of the rooms to lint/rooms.json; with --check only says whether the file is up to date. */

const root = join(import.meta.dirname, '..')
const file = join(root, 'lint/rooms.json')
const words = (text: string) => text.split(' ').filter((word) => word !== '')
const groundRooms = words(ground)

/** The folders below a folder of `src/` that hold files. */
function foldersOf(folder: string): string[] {
  const entries = readdirSync(join(root, 'src', folder), { withFileTypes: true })
  const below = entries
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => foldersOf(posix.join(folder, name)))
  return folder !== '' && entries.some((entry) => entry.isFile()) ? [folder, ...below] : below
}

/** Throws where rooms import each other in a circle. */
function refuseCircles(rooms: Record<string, string>): void {
  const done = new Set<string>()
  const under = (room: string, way: readonly string[]): void => {
    if (done.has(room)) return
    if (way.includes(room)) throw new Error(`lint/rooms.ts has a circle: ${[...way, room].join(' -> ')}`)
    for (const next of words(rooms[room] ?? '')) under(next, [...way, room])
    done.add(room)
  }
  for (const room of Object.keys(rooms)) under(room, [])
}

/** The rule of one folder: its files import nothing outside it but what the table allows. */
function override(folder: string): object {
  const allowed = rooms[folder]
  if (allowed === undefined) throw new Error(`src/${folder} is not in lint/rooms.ts: say there what it may import`)
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
            message: `src/${folder} may not import this: lint/rooms.ts says what it may.`,
            group: [
              '../**',
              './*/**',
              ...[...groundRooms, ...words(allowed)].map(
                (room) => `!${relative(room)}${room.endsWith('.ts') ? '' : '/*.ts'}`,
              ),
            ],
          },
        ]
  return {
    includes: [`**/src/${folder}/*.ts`, '!**/*.test.ts'],
    linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
  }
}

/** The rules of the files in `src/` itself: those of the ground floor import only the ground floor, the others only `src/`. */
function ownFiles(): object[] {
  const files = groundRooms.filter((room) => room.endsWith('.ts'))
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
      'The ground floor (util, errors, log, metrics) imports the ground floor only.',
      ['./**', '../**', ...groundRooms.map((room) => `!./${room}${room.endsWith('.ts') ? '' : '/*.ts'}`)],
    ),
    rule(others, 'The product imports nothing from test, bench, simulation or scripts.', ['../**']),
  ]
}

/** The rules of the console's folders: each is a room, and each view is one. */
function webRules(): object[] {
  const rule = (includes: string[], allowed: readonly string[]) => {
    const message = 'web/ imports nothing of src/, and lint/rooms.ts says which of its own folders may import this.'
    const group = ['../**', ...allowed.map((path) => `!${path}/*`)]
    return {
      includes: [...includes, '!**/*.test.ts'],
      linter: {
        rules: { style: { noRestrictedImports: { level: 'error', options: { patterns: [{ message, group }] } } } },
      },
    }
  }
  const folders = readdirSync(join(root, 'web'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const unknown = folders.map(({ name }) => name).filter((name) => name !== 'style' && !(name in webRooms))
  if (unknown.length > 0) throw new Error(`not in lint/rooms.ts: ${unknown.map((name) => `web/${name}`).join(', ')}`)
  return [
    ...Object.entries(webRooms).map(([room, allowed]) =>
      rule(
        [`**/web/${room}/*.{ts,tsx}`],
        words(allowed).map((other) => `../${other}`),
      ),
    ),
    rule(
      ['**/web/views/*/*.{ts,tsx}'],
      words(webView).map((other) => `../../${other}`),
    ),
    rule(['**/web/*.{ts,tsx}'], []),
  ]
}

refuseCircles(rooms)
refuseCircles(webRooms)
const folders = foldersOf('').filter((folder) => !groundRooms.includes(folder))
const gone = Object.keys(rooms).filter((room) => !folders.includes(room))
if (gone.length > 0) throw new Error(`lint/rooms.ts names folders that are not in src/: ${gone.join(', ')}`)
const floor0 = groundRooms.filter((room) => !room.endsWith('.ts'))
for (const room of floor0) rooms[room] = ''
const overrides = [...ownFiles(), ...[...floor0, ...folders].map(override), ...webRules()].map((rule) =>
  JSON.stringify(rule),
)
const text = `{ "overrides": [\n${overrides.join(',\n')}\n] }\n`
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error('lint/rooms.json is not what lint/rooms.ts gives: run npm run docs')
  process.exitCode = 1
}
