import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { callTool, type RequestApi } from './callTool.ts'
import { pathFault } from './pathFault.ts'
import { type ToolDocument, toolsOf } from './tools.ts'

const document = JSON.parse(
  readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
) as unknown as ToolDocument
const tools = toolsOf(document, { admin: true })
const toolOf = (name: string) => tools.find((tool) => tool.name === name)!
const { signal } = new AbortController()
const address = `0x${'5a'.repeat(20)}`

/** Answers every request with `response`, and keeps the targets. */
function answering(response: Response): { request: RequestApi; targets: string[] } {
  const targets: string[] = []
  const request: RequestApi = async ({ target }) => {
    targets.push(target)
    return response
  }
  return { request, targets }
}

test('default: a call requests the operation with its arguments', async () => {
  const { request, targets } = answering(Response.json({ token_id: '7' }))
  const answer = await callTool(request, toolOf('getNFT'), { address, token_id: 7, chain: 'eth' }, signal)
  expect(answer).toEqual({ text: '{"token_id":"7"}', isError: false })
  expect(targets).toEqual([`/api/v2/nft/${address}/7?chain=eth`])
})

test.each([
  ['getNFT', { address, token_id: 'events' }, 'token_id is "events"; allowed: text that matches ^([0-9]+|0[xX]'],
  ['getNFT', { address, token_id: '..' }, 'token_id is ".."; allowed: text that matches'],
  ['getNFT', { address, token_id: '7/owners' }, 'token_id is "7/owners"; allowed: text that matches'],
  ['getNFT', { address, token_id: ['7'] }, 'token_id is ["7"]; allowed: text that matches'],
  ['getNFT', { address, token_id: null }, 'token_id is null; allowed: text that matches'],
  ['getContractNFTs', { address: 'transfers' }, 'address is "transfers"; allowed: text that matches ^0[xX]'],
  ['getStream', { id: '..' }, 'id is ".."; allowed: the id, a UUID'],
  ['pauseChain', { chain: '..' }, 'chain is ".."; allowed: text other than . and .., such as eth'],
  ['pauseChain', { chain: '.' }, 'chain is "."; allowed: text other than . and .., such as eth'],
])('error: %s with the arguments %j requests nothing', async (name, given, message) => {
  const { request, targets } = answering(Response.json({}))
  expect(await callTool(request, toolOf(name), given, signal)).toEqual({
    text: expect.stringContaining(message),
    isError: true,
  })
  expect(targets).toEqual([])
})

test('behavior: no argument of a path can be a word of another path', () => {
  const paths = Object.keys(document.paths).map((path) => path.split('/'))
  const accepted = tools.flatMap((tool) => {
    const segments = tool.path.split('/')
    return segments.flatMap((segment, place) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      if (name === undefined) return []
      const words = paths
        .filter((path) => path.length === segments.length && path.every((part, i) => isAlike(part, segments[i]!)))
        .map((path) => path[place]!)
      return words
        .filter((word) => !word.startsWith('{'))
        .filter((word) => pathFault({ ...tool, inPath: [name] }, { [name]: word }) === undefined)
        .map((word) => `${tool.name}: ${name}=${word}`)
    })
  })
  expect(accepted).toEqual([])
})

const isAlike = (a: string, b: string) => a === b || a.startsWith('{') || b.startsWith('{')

test.each(['text/event-stream; charset=utf-8', 'application/x-ndjson', 'application/json-seq'])(
  'error: an answer of the type %s is closed unread',
  async (type) => {
    const closed = Promise.withResolvers<void>()
    const body = new ReadableStream({ cancel: () => closed.resolve() })
    const { request } = answering(new Response(body, { headers: { 'content-type': type } }))
    expect(await callTool(request, toolOf('getNFT'), { address, token_id: '7' }, signal)).toEqual({
      text: `the server answers 200 with ${type}; allowed: application/json`,
      isError: true,
    })
    await closed.promise
  },
)

test('behavior: a call ends when its signal is aborted while it reads the answer', async () => {
  const gone = new AbortController()
  const closed = Promise.withResolvers<void>()
  const body = new ReadableStream({ pull: () => gone.abort(), cancel: () => closed.resolve() }, { highWaterMark: 0 })
  const { request } = answering(new Response(body, { headers: { 'content-type': 'application/json' } }))
  const call = callTool(request, toolOf('getNFT'), { address, token_id: '7' }, gone.signal)
  await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  await closed.promise
})
