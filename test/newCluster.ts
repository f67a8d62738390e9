import { mkdir } from 'node:fs/promises'
import { inject } from 'vitest'
import { copyCluster } from './copyCluster.ts'

/**
 * Puts an empty database into the data folder, as the first start does, and returns the folder. It copies the cluster of this run,
 * which saves tests of other things a second of initdb.
 */
export async function newCluster(dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  await copyCluster(inject('postgres').cluster, dataDir)
  return dataDir
}
