import { expect, test, vi } from 'vitest'
import { patience } from '../../../test/patience.ts'
import { noopLog } from '../../util/log.ts'
import type { Postmaster, PostmasterExit } from './postmaster.ts'
import { supervise } from './supervise.ts'

type FakeServer = Postmaster & { die(): void; stopped: boolean }

function fakeServer(): FakeServer {
  const { promise: exited, resolve } = Promise.withResolvers<PostmasterExit>()
  const server: FakeServer = {
    pid: 1,
    exited,
    stopped: false,
    async stop() {
      server.stopped = true
      resolve({ code: 0, signal: null })
    },
    die: () => resolve({ code: null, signal: 'SIGKILL' }),
  }
  return server
}

test('default', async () => {
  const server = fakeServer()
  const onExit = vi.fn()
  const { stop } = await supervise({ start: async () => server, onExit, log: noopLog })
  await stop()
  expect(server.stopped).toBe(true)
  expect(onExit).not.toHaveBeenCalled()
})

test('behavior: retries when a restart fails', async () => {
  const servers = [fakeServer(), fakeServer()]
  let starts = 0
  const { stop } = await supervise({
    async start() {
      if (starts++ === 1) throw new Error('not yet')
      return servers[starts === 1 ? 0 : 1]!
    },
    log: noopLog,
  })
  servers[0]!.die()
  await vi.waitUntil(() => starts === 3, patience)
  await stop()
  expect(servers[1]!.stopped).toBe(true)
})

test('behavior: a server that starts during the stop is stopped too', async () => {
  const servers = [fakeServer(), fakeServer()]
  const { promise: up, resolve: comeUp } = Promise.withResolvers<void>()
  let starts = 0
  const { stop } = await supervise({
    async start() {
      if (starts++ > 0) await up
      return servers[starts - 1]!
    },
    log: noopLog,
  })
  servers[0]!.die()
  await vi.waitUntil(() => starts === 2, patience)
  const stopped = stop()
  comeUp()
  await stopped
  expect(servers[1]!.stopped).toBe(true)
})

test('error: a failed first start rejects for the caller', async () => {
  const start = () => Promise.reject(new Error('no disk'))
  await expect(supervise({ start, log: noopLog })).rejects.toThrow('no disk')
})
