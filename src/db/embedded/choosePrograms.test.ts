// @module-tag system

import { execFile } from 'node:child_process'
import { chmod, chown, cp, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { canRunAsOrdinaryUser, ordinaryUser } from '../../../test/ordinaryUser.ts'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import { noopLog } from '../../util/log.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { choosePrograms } from './choosePrograms.ts'
import { startEmbeddedPostgres } from './startEmbeddedPostgres.ts'

const isRoot = process.getuid?.() === 0

/** A package as `npm --ignore-scripts` leaves it: its libraries exist under only one name. */
async function unlinkedPackage(): Promise<Binaries> {
  const { folder, version } = await findBinaries()
  const copy = join(await temporaryFolder(), 'native')
  await cp(folder, copy, { recursive: true, verbatimSymlinks: true })
  for (const { target } of await links({ folder: copy, version }))
    await rm(join(dirname(copy), target), { force: true })
  await chmod(dirname(copy), 0o755)
  return { folder: copy, version }
}

async function links({ folder }: Binaries): Promise<{ target: string }[]> {
  return JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8'))
}

test('default', async () => {
  const dataDir = await temporaryFolder()
  const programs = await choosePrograms({ dataDir, owner: undefined, log: noopLog })
  expect(programs.user.kind).toBe(isRoot ? 'other' : 'self')
})

test('behavior: creates the links that the install script would have created', async () => {
  const dataDir = await temporaryFolder()
  const binaries = await unlinkedPackage()
  const programs = await choosePrograms({ dataDir, owner: undefined, log: noopLog, binaries })
  expect(programs.folder).toBe(binaries.folder)
})

test.runIf(isRoot)(
  'behavior: copies the package if the database user cannot read it, and reuses the copy',
  async () => {
    const dataDir = await temporaryFolder()
    const copies = join(await temporaryFolder(), 'copies')
    await chmod(dirname(copies), 0o755)
    const binaries = await unlinkedPackage()
    await chmod(dirname(binaries.folder), 0o700)
    const options = { dataDir, owner: undefined, log: noopLog, binaries, copyFolders: [copies] }
    const umask = process.umask(0o077)
    onTestFinished(() => void process.umask(umask))
    const programs = await choosePrograms(options)
    expect(dirname(programs.folder)).toBe(copies)
    expect(await choosePrograms(options)).toEqual(programs)
    expect(await readdir(copies)).toHaveLength(1)

    // After a power failure, the names may exist without their contents.
    await rm(join(programs.folder, 'lib'), { recursive: true })
    await mkdir(join(programs.folder, 'lib'))
    expect(await choosePrograms(options)).toEqual(programs)
    expect(await readdir(copies)).toHaveLength(1)
  },
)

test.runIf(await canRunAsOrdinaryUser())(
  'behavior: an ordinary user copies an incomplete package that belongs to another user',
  async () => {
    const dataDir = await temporaryFolder()
    await chown(dataDir, ordinaryUser.uid, ordinaryUser.gid)
    const binaries = await unlinkedPackage()
    const module = (name: string) => JSON.stringify(join(import.meta.dirname, name))
    const program = `
    const { choosePrograms } = await import(${module('choosePrograms.ts')})
    const { noopLog } = await import(${module('../../util/log.ts')})
    const options = ${JSON.stringify({ dataDir, binaries })}
    const programs = await choosePrograms({ ...options, owner: undefined, log: noopLog })
    console.log(programs.folder)`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      ...ordinaryUser,
      env: {},
    })
    expect(dirname(stdout.trim())).toBe(dataDir)
  },
)

test.runIf(isRoot)('error: runs no programs that another user could have placed', async () => {
  const dataDir = await temporaryFolder()
  const copies = await temporaryFolder()
  await chmod(copies, 0o755)
  const binaries = await unlinkedPackage()
  await chmod(dirname(binaries.folder), 0o700)
  const planted = join(copies, `mintmark-postgres-${binaries.version}`)
  await cp(binaries.folder, planted, { recursive: true })
  await chown(planted, ordinaryUser.uid, ordinaryUser.gid)
  await expect(
    choosePrograms({
      dataDir,
      // A database of that user allows no other user.
      owner: ordinaryUser,
      log: noopLog,
      binaries,
      copyFolders: [copies],
    }),
  ).rejects.toMatchObject({
    code: 'EMBEDDED_POSTGRES_UNAVAILABLE',
    message: expect.stringContaining('can be written by others'),
  })
})

const namespaces = await promisify(execFile)('unshare', ['--user', '--map-user=65534', '/bin/true']).then(
  () => true,
  () => false,
)

test.runIf(isRoot && namespaces)('behavior: root runs a database that it owns through a user namespace', async () => {
  const dataDir = await temporaryFolder()
  const first = await startEmbeddedPostgres({ dataDir, log: noopLog })
  await first.stop()
  await promisify(execFile)('chown', ['-R', '0:0', join(dataDir, 'postgres')])
  const programs = await choosePrograms({ dataDir, owner: { uid: 0, gid: 0 }, log: noopLog })
  expect(programs.user.kind).toBe('namespace')
  const second = await startEmbeddedPostgres({ dataDir, log: noopLog })
  await second.stop()
})
