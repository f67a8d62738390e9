// @module-tag system

import { expect, test } from 'vitest'
import { startTestServer, testApiKey } from '../mintmark.ts'
import { createRpcServer } from '../rpcServer.ts'

test.each([
  ['refuses connections', 'http://127.0.0.1:1/secret-path'],
  ['never answers', undefined],
])('error: creating a stream on a chain whose node %s returns 503 without the node URL', async (_, address) => {
  await using unresponsive = await createRpcServer(() => new Promise(() => {}))
  const node = new URL(address ?? unresponsive.url)
  await using server = await startTestServer({ rpc: [node.href] })
  const response = await fetch(`${server.url}/streams/evm`, {
    method: 'PUT',
    headers: { 'x-api-key': testApiKey },
    body: JSON.stringify({ webhookUrl: 'https://a.example/', description: 'd', tag: 't', chainIds: ['0x7a69'] }),
  })
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  const text = await response.text()
  expect(JSON.parse(text)).toEqual({
    message: 'no node of chain 0x7a69 can be queried at the moment, and the log shows why; retry',
    statusCode: 503,
  })
})
