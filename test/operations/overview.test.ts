import { expect, test } from 'vitest'
import { createTestDatabase } from '../database.ts'
import { startTestServer, type TestServer } from '../mintmark.ts'
import { patience } from '../patience.ts'

type Overview = {
  version: string
  processes: { role: string; version: string; pid: number; answering: boolean }[]
  rates: { requests: number[] }
}

const rolesOf = ({ processes }: Overview) => processes.map(({ role, answering }) => [role, answering])

test('behavior: the overview shows processes of two roles, and keeps the request counts of ended ones', async () => {
  const database = await createTestDatabase()
  const start = (role: 'api' | 'deliver') =>
    startTestServer({ rpc: ['http://127.0.0.1:1'], config: { role }, database })
  const read = async (server: TestServer) => (await (await server.get('/admin/overview')).json()) as Overview
  try {
    await using api = await start('api')
    const deliver = await start('deliver')
    await expect
      .poll(async () => rolesOf(await read(api)).sort(), patience)
      .toEqual([
        ['api', true],
        ['deliver', false],
      ])
    const { version, processes } = await read(api)
    for (const one of processes) expect(one).toMatchObject({ version, pid: process.pid })
    for (let n = 0; n < 5; n++) expect((await deliver.get('/health')).status).toBe(200)
    await deliver.close()
    await expect.poll(async () => rolesOf(await read(api)), patience).toEqual([['api', true]])
    const counted = (await read(api)).rates.requests.reduce((sum, count) => sum + count, 0)
    expect(counted).toBeGreaterThanOrEqual(5)
  } finally {
    await database.drop()
  }
})
