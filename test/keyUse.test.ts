import { expect, test } from 'vitest'
import { runCommand } from './commandLine.ts'
import { startTestServer } from './mintmark.ts'

test('behavior: keys are listed with their limits and when each was last used', async () => {
  await using server = await startTestServer({ rpc: ['http://127.0.0.1:1'] })
  const keys = (...args: string[]) => runCommand(['keys', ...args, '--database-url', server.database.url])
  const used = (await keys('create', 'used', '--requests-per-second', '2.5', '--burst', '7')).out.trim()
  await keys('create', 'idle')
  const request = (key: string) => fetch(`${server.url}/coins/latest?limit=1`, { headers: { 'x-api-key': key } })
  await request(used)
  await request('wrong')
  type Listed = { name: string; lastUsedAt: string | null }
  const lastUse = async () => {
    const listed = JSON.parse((await keys('list', '--json')).out) as Listed[]
    return Object.fromEntries(listed.map(({ name, lastUsedAt }) => [name, lastUsedAt]))
  }
  await expect.poll(lastUse).toEqual({ used: expect.stringMatching(/^20.*Z$/), idle: null })
  const { out } = await keys('list')
  expect(out).toMatch(/^1 +read +20\S+Z +20\S+Z +2\.5 +7 +- +used$/m)
  expect(out).toMatch(/^2 +read +20\S+Z +never +default +default +- +idle$/m)

  // A use is noted again once the last note is older than a minute.
  const before = await lastUse()
  await server.database.db.run(`UPDATE api_key SET last_used_at = now() - interval '2 minutes' WHERE name = 'used'`)
  await expect.poll(async () => (await request(used)) && (await lastUse()).used! >= before.used!).toBe(true)
})
