import { startCitusCluster } from './cluster.ts'

/** Runs the tests on a new Citus cluster, unless a server is given. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const { env } = process
  if (env.MINTMARK_TEST_DATABASE_URL) return undefined
  const { url, end } = await startCitusCluster()
  env.MINTMARK_TEST_DATABASE_URL = url
  return end
}
