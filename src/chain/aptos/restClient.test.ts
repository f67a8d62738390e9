import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { silentLog } from '../../log.ts'
import { AptosUnavailableError } from './aptosError.ts'
import { createRestClient } from './restClient.ts'

test('error: an answer without an end is cut off at 64 MB', async () => {
  let sent = 0
  const part = Buffer.alloc(1_000_000, 'x')
  const server = createServer((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write(part)) sent += part.length
    }
    response.on('drain', more)
    more()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  const client = createRestClient({ base, token: undefined, timeoutMs: 30_000, log: silentLog })
  onTestFinished(async () => {
    await client.close()
    server.closeAllConnections()
    server.close()
  })
  await expect(client.get('', AbortSignal.timeout(20_000))).rejects.toThrow(AptosUnavailableError)
  expect(sent).toBeLessThan(200_000_000)
})
