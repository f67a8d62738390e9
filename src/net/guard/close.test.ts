import { expect, test } from 'vitest'
import { guardedClient, rejection } from '../../../test/guardedClient.ts'
import { createRawServer, httpAnswer } from '../../../test/rawServer.ts'

test('error: closing aborts running requests with an error that does not blame the host', async () => {
  await using server = await createRawServer(() => {})
  const client = guardedClient()
  const work = [client.get(server.url), client.post(server.url, '{}', {})].map(rejection)
  await expect.poll(() => server.requests.length).toBe(2)
  await client.close()
  for (const error of await Promise.all(work)) expect(error).toMatchObject({ code: 'HOST_BUSY', retryable: true })
  await expect.poll(() => server.open()).toBe(0)
  expect(await rejection(client.get(server.url))).toMatchObject({ code: 'HOST_BUSY' })
  expect(await rejection(client.post(server.url, '{}', {}))).toMatchObject({ code: 'HOST_BUSY' })
  expect(server.requests).toHaveLength(2)
})

test('behavior: closing an idle client closes its connections', async () => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(200)))
  const client = guardedClient()
  await Promise.all([client.get(server.url), client.post(server.url, '{}', {})])
  expect(server.open()).toBe(2)
  await client.close()
  await expect.poll(() => server.open()).toBe(0)
})
