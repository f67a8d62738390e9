import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { endWithThisProcess } from './endWithThisProcess.ts'
import { scratchFolder } from './scratchFolder.ts'

const prefix = 'mintmark-folder-'

/** A folder that is removed with the test. Hooks run in reverse order, so servers that start later stop before. */
export async function temporaryFolder(): Promise<string> {
  return goesWithTest(await mkdtemp(join(tmpdir(), prefix)))
}

/** A folder for the data of servers, in memory if there is space. No program can run from it. */
export async function temporaryDataFolder(): Promise<string> {
  return goesWithTest(await scratchFolder(prefix))
}

function goesWithTest(folder: string): string {
  const reaper = endWithThisProcess(folder)
  onTestFinished(() => reaper.end())
  return folder
}
