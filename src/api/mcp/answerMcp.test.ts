import { expect, test } from 'vitest'
import { answerMcp } from './answerMcp.ts'
import type { Tool } from './tools.ts'

const tool: Tool = {
  ...{ name: 'getStats', description: '', method: 'GET', path: '/stats', query: [], inPath: [] },
  ...{ inputSchema: { type: 'object', properties: {}, required: [] }, needsLimit: false, isRead: true },
}
const batch = Array.from({ length: 100 }, (_, id) => ({
  ...{ jsonrpc: '2.0', id, method: 'tools/call' },
  params: { name: 'getStats', arguments: {} },
}))
const common = { tools: [tool], version: '0', message: batch, protocolVersion: undefined }

test('default: all calls of a batch are answered, a few at a time', async () => {
  let running = 0
  let most = 0
  const answer = await answerMcp({
    ...common,
    async request() {
      most = Math.max(most, ++running)
      await Promise.resolve()
      running--
      return Response.json({})
    },
  })
  expect(await answer!.json()).toHaveLength(100)
  expect(most).toBe(8)
})

test('behavior: no further call of a batch starts after the client disconnected, and running calls are aborted', async () => {
  const gone = new AbortController()
  const started: AbortSignal[] = []
  const ended: Promise<Response>[] = []
  const answer = answerMcp({
    ...common,
    signal: gone.signal,
    request({ signal }) {
      started.push(signal)
      if (started.length === 8) gone.abort()
      const response = new Promise<Response>((resolve) => {
        signal.addEventListener('abort', () => resolve(Response.json({})))
      })
      ended.push(response)
      return response
    },
  })
  expect(await answer).toBeUndefined()
  await Promise.all(ended)
  // All promises that the ended calls resolve.
  await new Promise(setImmediate)
  expect(started.map(({ aborted }) => aborted)).toEqual(Array(8).fill(true))
})

test('behavior: no call starts for a client that disconnected before', async () => {
  const request = () => Promise.reject(new Error('a call started'))
  expect(await answerMcp({ ...common, signal: AbortSignal.abort(), request })).toBeUndefined()
})
