import { expect, onTestFinished, test } from 'vitest'
import { adminKey, createTestApi } from '../../../test/api.ts'
import { lastingHeaders } from '../../../test/lastingHeaders.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { createLog } from '../../util/log.ts'

const address = `0x${'5a'.repeat(20)}`

test('behavior: an API key in a path appears in no log, metric or response, even on a server error', async () => {
  let lines = ''
  // Without a mask: the log must not receive the key at all.
  const log = createLog({
    level: 'debug',
    repeatMs: 0,
    mask: (text) => text,
    destination: {
      write(line) {
        lines += line
      },
    },
  })
  const metrics = createMetrics()
  const api = await createTestApi({ log, metrics })
  onTestFinished(() => api.drop())
  const key = encodeURIComponent(adminKey)
  const targets = [
    `getContractMetadata?contractAddress=${address}`,
    'getContractMetadata?contractAddress=1',
    'getNothing',
    'getNothing%0A',
    `getNFTsForOwner?owner=${address}`,
  ]
  const answers: string[] = []
  async function requestAll(given: string) {
    for (const target of targets)
      for (const method of ['GET', 'POST', 'PUT']) {
        const request = new Request(`http://localhost/alchemy/eth-mainnet/nft/v3/${given}/${target}`, { method })
        const response = await api.api.request(request)
        answers.push(`${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`)
      }
  }
  await requestAll(key)
  await requestAll('a-wrong-key')
  // The missing table causes a server error.
  await api.db.run('ALTER TABLE collection RENAME TO lost')
  await requestAll(key)
  await api.db.run('ALTER TABLE lost RENAME TO collection')
  expect(answers.some((answer) => answer.startsWith('500 '))).toBe(true)
  const everything = [...answers, lines, await metrics.registry.metrics()].join('\n')
  for (const text of [adminKey, key, 'a-wrong-key']) expect(everything).not.toContain(text)
  expect(lines).toContain('request failed')
})

test('behavior: a repeated page of a wallet, which skips the router, is answered by the key in its path until the key is revoked', async () => {
  const api = await createTestApi({})
  onTestFinished(() => api.drop())
  const server = await api.api.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => server.close())
  const admin = { 'x-api-key': adminKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'wallets', access: 'read' })
  const made = await fetch(`${server.url}/admin/keys`, { method: 'POST', headers: admin, body })
  const { id, key } = (await made.json()) as { id: string; key: string }
  async function read(given: string) {
    const response = await fetch(
      `${server.url}/alchemy/eth-mainnet/nft/v3/${given}/getNFTsForOwner?owner=${address}&withMetadata=false`,
    )
    const headers = lastingHeaders([...response.headers])
    return { status: response.status, headers, body: (await response.json()) as object }
  }
  const first = await read(key)
  expect(first).toMatchObject({ status: 200, body: { ownedNfts: [], totalCount: 0 } })
  expect(await read(key)).toEqual(first)
  expect(await read('a-wrong-key')).toMatchObject({ status: 401 })
  expect((await fetch(`${server.url}/admin/keys/${id}`, { method: 'DELETE', headers: admin })).ok).toBe(true)
  // A key is known for a second after its last lookup.
  await expect.poll(async () => (await read(key)).status).toBe(401)
  expect((await read(key)).body).toMatchObject({ error: { message: expect.stringContaining('the API key') } })
})
