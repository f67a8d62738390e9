import { chmodSync, chownSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canRunAsOrdinaryUser, ordinaryUser } from '../../../test/ordinaryUser.ts'
import { startPostgresProcess } from '../../../test/startPostgresProcess.ts'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import { noopLog } from '../../util/log.ts'
import { openDataDir } from './dataDir.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o7777).toString(8)
const isRoot = process.getuid?.() === 0

/** A folder with this mode, whatever the umask is, and with these files. */
async function folderWith(mode: number, ...files: string[]): Promise<string> {
  const folder = join(await temporaryFolder(), 'data')
  mkdirSync(folder)
  for (const name of files) writeFileSync(join(folder, name), '')
  chmodSync(folder, mode)
  return folder
}

test('default: creates a missing data folder and its missing parents with access for the owner only', async () => {
  const above = join(await temporaryFolder(), 'not')
  const folder = join(above, 'yet')
  expect(await openDataDir(folder, noopLog)).toBe(folder)
  expect([modeOf(above), modeOf(folder)]).toEqual(['700', '700'])
})

test.each([0o755, 0o777, 0o770])(
  'behavior: a folder of mode %o with only Mintmark entries becomes private to its owner',
  async (mode) => {
    const folder = await folderWith(mode, 'lock', 'lock-journal')
    mkdirSync(join(folder, 'postgres'))
    await openDataDir(folder, noopLog)
    expect(modeOf(folder)).toBe('700')
  },
)

test('behavior: a folder with other entries keeps its mode if other users can only read it', async () => {
  const folder = await folderWith(0o755, 'letters.txt')
  await openDataDir(folder, noopLog)
  expect(modeOf(folder)).toBe('755')
})

test.each([0o777, 0o1777])(
  'error: rejects a folder of mode %o with other entries, as other users could place a lock there',
  async (mode) => {
    const folder = await folderWith(mode, 'letters.txt')
    await expect(openDataDir(folder, noopLog)).rejects.toMatchObject({
      code: 'DATA_DIR',
      message: `${folder} can be written by every user of this machine: choose a folder of its own, such as ${folder}/mintmark`,
    })
    expect(modeOf(folder)).toBe(mode.toString(8))
  },
)

test('error: rejects immediately a path where no folder can be created', async () => {
  const file = join(await folderWith(0o700, 'file'), 'file')
  for (const path of ['/proc/mintmark', '/proc/1/nothing/deeper', file, join(file, 'below')])
    await expect(openDataDir(path, noopLog), path).rejects.toMatchObject({ code: 'DATA_DIR' })
})

test('error: rejects a dangling link', async () => {
  const link = join(await temporaryFolder(), 'link')
  symlinkSync('/nowhere/at/all', link)
  await expect(openDataDir(link, noopLog)).rejects.toMatchObject({ code: 'DATA_DIR' })
})

test.runIf(isRoot)('error: root rejects a folder or a link that another user placed', async () => {
  const open = await temporaryFolder()
  chmodSync(open, 0o1777)
  const folder = join(open, 'data')
  mkdirSync(folder, 0o700)
  chownSync(folder, 12_345, 12_345)
  await expect(openDataDir(folder, noopLog)).rejects.toThrow('belongs to the user 12345')
  chmodSync(open, 0o755)
  expect(await openDataDir(folder, noopLog)).toBe(folder)
  const link = join(open, 'link')
  symlinkSync(await temporaryFolder(), link)
  await openDataDir(link, noopLog)
  lchownSync(link, 12_345, 12_345)
  await expect(openDataDir(link, noopLog)).rejects.toThrow('is a link of the user 12345')
})

test.runIf(await canRunAsOrdinaryUser())('error: an ordinary user cannot use the folder of another user', async () => {
  const above = await temporaryFolder()
  chmodSync(above, 0o755)
  const folder = join(above, 'data')
  mkdirSync(folder)
  chmodSync(folder, 0o777)
  chownSync(folder, 12_345, 12_345)
  expect((await startPostgresProcess(folder, ordinaryUser)).outcome).toMatchObject({
    code: 'DATA_DIR',
    message: expect.stringContaining('belongs to the user 12345, this is 65534'),
  })
})
