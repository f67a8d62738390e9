import { startCitusCluster } from './citusCluster.ts'

/** `.ci/run` looks for the first words, so that nobody takes the run for one on a cluster. */
const onPostgresInstead = 'tests on Citus: run on PostgreSQL instead'

/** Has the tests run on a Citus cluster of this run's own, unless a server is given, or none can be installed or started here. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  const { env } = process
  if (env.MINTMARK_TEST_DATABASE_URL) return undefined
  try {
    const { url, end } = await startCitusCluster()
    env.MINTMARK_TEST_DATABASE_URL = url
    return end
  } catch (error) {
    process.stdout.write(`${onPostgresInstead}, as the cluster does not start here: ${error}\n`)
    return undefined
  }
}
