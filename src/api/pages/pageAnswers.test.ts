import { execFile } from 'node:child_process'
import { setImmediate as breath } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { Exchange } from '../http/route.ts'
import { createPageAnswers } from './pageAnswers.ts'
import { createPageCache } from './pageCache.ts'

const exchange: Exchange = {
  requestId: 'one',
  encoding: 'identity',
  target: '/',
  key: undefined,
  params: {},
  isKeyValid: async () => true,
  header: () => undefined,
  schedule: (task) => task(),
  address: '127.0.0.1',
}

const open = () => createPageAnswers({ cache: createPageCache({ maxBytes: 0 }), onPage: () => undefined })

const stateOf = (name: string) => ({ name, version: 1n, etag: `W/"${name}"`, headers: [] })

test('behavior: concurrent requests for one page share its computation, and later requests compute it again', async () => {
  const answers = open()
  let cuts = 0
  const cut = async () => {
    await breath()
    return `page ${++cuts}`
  }
  const request = async () => String((await answers.answer({ state: stateOf('a'), keep: true, cut, exchange })).body)
  expect(await Promise.all([request(), request(), request()])).toEqual(['page 1', 'page 1', 'page 1'])
  expect(await request()).toBe('page 2')
})

test('error: a failed page computation fails all concurrent requests, and the next request tries again', async () => {
  const answers = open()
  let cuts = 0
  const cut = async () => {
    await breath()
    if (++cuts === 1) throw new Error('away')
    return 'page'
  }
  const request = () => answers.answer({ state: stateOf('a'), keep: true, cut, exchange })
  expect((await Promise.allSettled([request(), request()])).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ])
  expect(String((await request()).body)).toBe('page')
})

test('behavior: served pages are freed without frequent full heap markings by V8', async () => {
  const script = fileURLToPath(new URL('../../../test/countMarkings.ts', import.meta.url))
  const countMarkings = async () => Number((await promisify(execFile)(process.execPath, [script])).stdout)
  // 8,000 pages are 528 MB. V8 marks once for each 64 MB that it counts as live. On a busy machine some runs mark for other reasons, too.
  const runs = [await countMarkings()]
  while (runs.length < 5 && runs.at(-1)! >= 4) runs.push(await countMarkings())
  expect(Math.min(...runs)).toBeLessThan(4)
})
