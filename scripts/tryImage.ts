import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { all, environmentOf, type Instruction, readDockerfile } from './readDockerfile.ts'

// Tests the image without Docker. It runs the steps of the Dockerfile in empty root folders. A minimal Debian with this Node replaces the base
// image. Then it runs the result like a container:
// - as an ordinary user
// - with a file system that is read-only except for the volume
// - as the first process of its namespace
// It needs root, debootstrap and unshare, and prints the size of the files.
const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'mintmark-image-'))
const rootOf = (name: string) => join(folder, name)
const stages = readDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'))
/** The limit only detects a hang. */
const patienceSeconds = 120
/** A runtime kills a container that has not stopped by then. */
const stopSeconds = 10
const buildTools = ['gcc', 'cc', 'g++', 'make', 'python3', 'git', 'curl']

/** Enters a root folder with the kernel's file systems, as a builder provides them for each step. */
const enterRoot = 'mount -t proc proc "$1/proc"; mount --bind /dev "$1/dev"; exec chroot "$@"'

try {
  makeBase()
  for (const [i, stage] of stages.entries()) if (i > 0) makeStage(stage, String(i))
  await tryServer(stages.at(-1)!, rootOf(nameOf(stages.at(-1)!, String(stages.length - 1))))
  console.log('image: everything works')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Makes the contents of Node's official image: a minimal Debian of its release, Node with npm, and the user `node`. */
function makeBase(): void {
  const [, major, release] = /^node:(\d+)\.[\d.]+-(\w+)-slim@/.exec(all(stages[0]!, 'FROM')[0]!)!
  if (Number(major) !== Number.parseInt(process.versions.node, 10))
    throw new Error(`the image has Node ${major}, this is ${process.versions.node}`)
  const base = rootOf('base')
  execFileSync('debootstrap', ['--variant=minbase', release!, base], { stdio: ['ignore', 'ignore', 'inherit'] })
  const npm = dirname(dirname(realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())))
  cpSync(process.execPath, join(base, 'usr/local/bin/node'))
  cpSync(npm, join(base, 'usr/local/lib/node_modules/npm'), { recursive: true })
  for (const name of ['npm', 'npx'])
    chroot(base, {}, `ln -s ../lib/node_modules/npm/bin/${name}-cli.js /usr/local/bin/${name}`)
  chroot(base, {}, 'groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node')
}

function nameOf(stage: readonly Instruction[], otherwise: string): string {
  return all(stage, 'FROM')[0]!.split(' AS ')[1] ?? otherwise
}

/** Runs the steps of a stage in a copy of its base. */
function makeStage(stage: readonly Instruction[], number: string): void {
  const from = all(stage, 'FROM')[0]!.split(' ')[0]!
  const name = nameOf(stage, number)
  const target = rootOf(name)
  execFileSync('cp', ['--archive', rootOf(from), target])
  let folder = '/'
  const environment: Record<string, string> = {}
  for (const { name, rest } of stage) {
    if (name === 'WORKDIR') {
      folder = rest
      mkdirSync(join(target, folder), { recursive: true })
    }
    if (name === 'ENV') Object.assign(environment, environmentOf([{ name, rest }]))
    if (name === 'COPY') copy(rest, target, folder)
    if (name === 'RUN') chroot(target, environment, `cd ${folder} && ${rest}`)
  }
  console.log(
    `image: stage ${name} has ${megabytes(target)} MB, ${megabytes(target) - megabytes(rootOf('base'))} more than its base`,
  )
}

function copy(rest: string, stageRoot: string, folder: string): void {
  const [, from, list] = /^(?:--from=(\w+) )?(.*)$/.exec(rest)!
  const paths = list!.split(' ')
  const target = paths.pop()!
  // .dockerignore excludes tests.
  const filter = (name: string) => from !== undefined || !name.endsWith('.test.ts')
  for (const path of paths) {
    const source = from ? join(rootOf(from), path) : join(root, path)
    const place = target.startsWith('/') ? join(stageRoot, target) : join(stageRoot, folder, target)
    // COPY copies the contents of a folder.
    const to = statSync(source).isDirectory() ? place : join(place, basename(source))
    cpSync(source, to, { recursive: true, filter, verbatimSymlinks: true })
  }
}

/** Runs a step as root in its own root folder, with this machine's network and registry. */
function chroot(target: string, environment: Record<string, string>, step: string): void {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', cwd: folder }).trim()
  for (const path of ['/etc/resolv.conf', '/etc/hosts'])
    if (existsSync(path)) cpSync(path, join(target, path), { dereference: true })
  // biome-ignore lint/style/noProcessEnv: certificates of a registry on this machine
  const certificates = process.env.NODE_EXTRA_CA_CERTS
  if (certificates) cpSync(certificates, join(target, 'tmp/certificates.pem'))
  const pairs = Object.entries({
    ...{ PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' },
    ...{ npm_config_registry: registry, npm_config_cache: '/tmp/npm', ...environment },
    ...(certificates && { NODE_EXTRA_CA_CERTS: '/tmp/certificates.pem' }),
  }).map(([name, value]) => `${name}=${value}`)
  const inside = [target, '/usr/bin/env', '-i', ...pairs, '/bin/sh', '-ec', step]
  execFileSync('unshare', ['--mount', '--pid', '--fork', 'sh', '-ec', enterRoot, 'sh', ...inside], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  rmSync(join(target, 'tmp'), { recursive: true })
  mkdirSync(join(target, 'tmp'))
  chmodSync(join(target, 'tmp'), 0o1777)
}

function megabytes(target: string): number {
  return Math.round(
    Number.parseInt(execFileSync('du', ['--summarize', '--block-size=1', target], { encoding: 'utf8' }), 10) / 1e6,
  )
}

/** Starts the server as the image does, and checks the requirements for a container. */
async function tryServer(image: readonly Instruction[], target: string): Promise<void> {
  for (const tool of buildTools) if (existsSync(join(target, 'usr/bin', tool))) throw new Error(`the image has ${tool}`)
  const [user, volume] = [all(image, 'USER')[0]!, all(image, 'VOLUME')[0]!]
  const port = '18080'
  const environment = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ...environmentOf(image),
    MINTMARK_HOST: '127.0.0.1',
    MINTMARK_PORT: port,
  }
  const pairs = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
  const command = [...all(image, 'ENTRYPOINT'), ...all(image, 'CMD')].flatMap((list) => JSON.parse(list) as string[])
  const inside = ['chroot', `--userspec=${user}:${user}`, target, '/usr/bin/env', '-i', '-C', volume, ...pairs]
  // The root is read-only and only the volume and /tmp are writable, as in a runtime.
  const script = join(folder, 'run.sh')
  writeFileSync(
    script,
    [
      '#!/bin/sh',
      'set -e',
      `mount --bind ${target} ${target}`,
      `mount -o remount,bind,ro ${target}`,
      `mount -t tmpfs -o mode=0700,uid=1000,gid=1000 tmpfs ${target}${volume}`,
      `mount -t tmpfs -o mode=1777 tmpfs ${target}/tmp`,
      `mount -t proc proc ${target}/proc`,
      `mount --bind /dev ${target}/dev`,
      'exec "$@"',
    ].join('\n'),
    { mode: 0o700 },
  )
  const child = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', script, ...inside, ...command], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  try {
    const [, check] = /CMD (\[.*\])$/.exec(all(image, 'HEALTHCHECK')[0]!)!
    const [, ...args] = JSON.parse(check!) as string[]
    await until('the health check to pass', child, () => isPassed(args, { MINTMARK_PORT: port }))
    const first = firstProcess(child)
    const writable = execFileSync(
      'nsenter',
      ['--target', first, '--mount', '--root', '/bin/sh', '-c', 'touch /app/x 2>/dev/null && echo yes || echo no'],
      { encoding: 'utf8' },
    ).trim()
    if (writable !== 'no') throw new Error('the root of the container takes writes')
    const startedAt = performance.now()
    const exited = once(child, 'exit')
    process.kill(Number(first), 'SIGTERM')
    const [code] = await exited
    const seconds = (performance.now() - startedAt) / 1_000
    if (code !== 0 || seconds > stopSeconds) throw new Error(`stopped with ${code} after ${seconds} s`)
    console.log(`image: ready as user ${user} in a read-only root, stopped after ${seconds.toFixed(1)} s`)
  } finally {
    child.kill('SIGKILL')
  }
}

/** Returns the first process of the new namespace, by its pid in this one. */
function firstProcess({ pid }: ChildProcess): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]!
}

function isPassed(args: string[], env: NodeJS.ProcessEnv): boolean {
  try {
    execFileSync(process.execPath, args, { env, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function until(what: string, child: ChildProcess, isDone: () => boolean): Promise<void> {
  const deadline = performance.now() + patienceSeconds * 1_000
  while (!isDone()) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode} instead of ${what}`)
    if (performance.now() > deadline) throw new Error(`waited ${patienceSeconds} s for ${what}`)
    await delay(200)
  }
}
