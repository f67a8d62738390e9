import { execFile } from 'node:child_process'
import { mkdir, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { commandEnv } from '../commandEnv.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const script = join(import.meta.dirname, '../../deploy/backup.sh')

/** Folders with a space and a line feed in their paths, and a command that writes an empty backup file. */
async function prepare() {
  const folder = await temporaryFolder()
  const command = join(folder, 'command.sh')
  await writeFile(command, 'for last; do :; done\n: > "$last"\n')
  const data = join(folder, 'the data\n1')
  const backups = join(folder, 'the backups\n1')
  await mkdir(join(data, 'media'), { recursive: true })
  await mkdir(backups)
  const backUp = (variables: Record<string, string> = {}) => {
    const env = { PATH: commandEnv.PATH, MINTMARK: `sh ${command}`, ...variables }
    return promisify(execFile)('sh', [script, data, backups], { env })
  }
  return { data, backups, backUp }
}

const filesIn = async (folder: string) => (await readdir(folder)).filter((name) => name.endsWith('.mintmark'))

test('behavior: paths may contain spaces: new previews are copied, and old files are deleted', async () => {
  const { data, backups, backUp } = await prepare()
  await writeFile(join(data, 'media/a b-low.webp'), '1')
  await backUp()
  expect(await readdir(join(backups, 'media'))).toEqual(['a b-low.webp'])
  await rm(join(backups, 'media'), { recursive: true })
  await writeFile(join(data, 'media/two-low.webp'), '2')
  for (const name of ['20200101T000000Z.mintmark', '20200102T000000Z.mintmark', '2020 copy.mintmark'])
    await writeFile(join(backups, name), '')
  const { stdout } = await backUp({ KEEP: '1' })
  expect(await readdir(join(backups, 'media'))).toEqual(['two-low.webp'])
  expect((await filesIn(backups)).map((name) => `${join(backups, name)}\n`)).toEqual([stdout])
})

test.each(['find', 'tar'])(
  'error: a failure of %s ends the script, and the next backup copies the previews',
  async (name) => {
    const { data, backups, backUp } = await prepare()
    await writeFile(join(data, 'media/one-low.webp'), '1')
    const programs = await temporaryFolder()
    const failing = '#!/bin/sh\n[ "$1" = --extract ] && cat >/dev/null\n'
    await writeFile(join(programs, name), failing, { mode: 0o755 })
    await expect(backUp({ PATH: `${programs}:${commandEnv.PATH}` })).rejects.toThrow()
    await backUp()
    expect(await readdir(join(backups, 'media'))).toEqual(['one-low.webp'])
  },
)

test('behavior: a preview that the server deletes during the copy, and a linked folder, do not fail the backup', async () => {
  const { data, backups, backUp } = await prepare()
  await rename(join(data, 'media'), join(data, 'elsewhere'))
  await symlink(join(data, 'elsewhere'), join(data, 'media'))
  await writeFile(join(data, 'media/one-low.webp'), '1')
  const programs = await temporaryFolder()
  const listing = `#!/bin/sh\nPATH='${commandEnv.PATH}' find "$@"\nprintf 'media/gone-low.webp\\0'\n`
  await writeFile(join(programs, 'find'), listing, { mode: 0o755 })
  await backUp({ PATH: `${programs}:${commandEnv.PATH}` })
  expect(await readdir(join(backups, 'media'))).toEqual(['one-low.webp'])
  expect(await readdir(backups)).toContain('media.marker')
})

test.each(['0', 'all', '-1'])('error: KEEP %s is rejected before anything is deleted', async (KEEP) => {
  const { backups, backUp } = await prepare()
  await writeFile(join(backups, '20200101T000000Z.mintmark'), '')
  await expect(backUp({ KEEP })).rejects.toThrow(`KEEP is ${KEEP}; allowed: a number from 1`)
  expect(await filesIn(backups)).toEqual(['20200101T000000Z.mintmark'])
})
