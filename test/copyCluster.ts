import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Copies a cluster on which no server runs into a data folder. The files keep their owner, the user that servers run as. */
export async function copyCluster(cluster: string, dataDir: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', cluster, join(dataDir, 'postgres')])
}
