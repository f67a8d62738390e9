import { expect, test } from 'vitest'
import { z } from 'zod'
import { noopLog } from '../../util/log.ts'
import { createApp, operationsByPath } from './app.ts'
import { defineRoute } from './route.ts'

/** Several of these paths match the same target. In this order, the wrong one would answer. */
const paths = [
  '/api/v2/{wallet}',
  '/api/v2/{wallet}/nft',
  '/api/v2/{wallet}/nft/collections',
  '/api/v2/{wallet}/nft/transfers',
  '/api/v2/{pair}/{other}/price',
  '/api/v2/nft/{address}',
  '/api/v2/nft/{address}/{token_id}',
  '/api/v2/nft/{address}/{token_id}/transfers',
  '/api/v2/nft/{address}/transfers',
  '/api/v2/nft/transfers',
  '/api/v2/block/{block}/nft/transfers',
]

/** Returns the route that answers a target among these paths. */
async function answering(given: readonly string[], target: string): Promise<string> {
  const params = z.object({})
  const routes = given.map((path) =>
    defineRoute({
      ...{ method: 'GET', path, operationId: path, summary: '', description: '', tag: '', access: 'none' },
      ...{ params, query: params, ok: { description: '' } },
      handle: () => ({ status: 200, headers: [], body: null }),
    }),
  )
  let route = ''
  const app = createApp({
    operations: operationsByPath(routes),
    log: noopLog,
    async respond(_, operations) {
      route = [...operations!.values()][0]!.route.path
      return { status: 200, headers: [], body: null }
    },
  })
  await app.fetch(new Request(`http://localhost${target}`))
  return route
}

const wallet = `0x${'5a'.repeat(20)}`

test.each([
  [`/api/v2/${wallet}/nft`, '/api/v2/{wallet}/nft'],
  [`/api/v2/nft/${wallet}`, '/api/v2/nft/{address}'],
  ['/api/v2/nft/nft', '/api/v2/nft/{address}'],
  ['/api/v2/nft/transfers', '/api/v2/nft/transfers'],
  [`/api/v2/nft/${wallet}/transfers`, '/api/v2/nft/{address}/transfers'],
  ['/api/v2/nft/nft/transfers', '/api/v2/nft/{address}/transfers'],
  [`/api/v2/nft/${wallet}/nft`, '/api/v2/nft/{address}/{token_id}'],
  [`/api/v2/nft/${wallet}/7/transfers`, '/api/v2/nft/{address}/{token_id}/transfers'],
  [`/api/v2/${wallet}/nft/transfers`, '/api/v2/{wallet}/nft/transfers'],
  [`/api/v2/${wallet}/nft/collections`, '/api/v2/{wallet}/nft/collections'],
  [`/api/v2/${wallet}/nft/price`, '/api/v2/{pair}/{other}/price'],
  ['/api/v2/block/5/nft/transfers', '/api/v2/block/{block}/nft/transfers'],
  ['/api/v2/nft', '/api/v2/{wallet}'],
])('behavior: %s is routed to %s, regardless of the order of the routes', async (target, path) => {
  for (const given of [paths, paths.toReversed()])
    for (const requested of [target, target.replace('/v2/', '/v2.2/')])
      expect(await answering(given, requested)).toBe(path)
})

test('behavior: a request in this process is gone when its signal is aborted', async () => {
  const gone: boolean[] = []
  const app = createApp({
    ...{ operations: new Map(), log: noopLog },
    async respond({ isGone, signal }) {
      gone.push(isGone(), signal!.aborted)
      return { status: 200, headers: [], body: null }
    },
  })
  await app.fetch(new Request('http://localhost/'))
  await app.fetch(new Request('http://localhost/', { signal: AbortSignal.abort() }))
  expect(gone).toEqual([false, false, true, true])
})
