import { expect, test } from 'vitest'
import { guardedClient, names } from '../../../../test/guardedClient.ts'
import { createRawServer, httpAnswer } from '../../../../test/rawServer.ts'
import { fetchMetadata } from '../fetchMetadata.ts'
import { createMetadataHosts } from './metadataHosts.ts'

const { signal } = new AbortController()
const minute = 60_000

function openHosts(retryDelaysMs = [minute]) {
  const clock = { now: 1_000_000 }
  const hosts = createMetadataHosts([], { retryDelaysMs, now: () => clock.now })
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) hosts.request('a')?.failed('silent')
  }
  const mayRequest = (host: string) => hosts.request(host) !== undefined
  return { clock, hosts, fail, mayRequest }
}

test('default: five consecutive tries without a response mark a host as dead', () => {
  const { hosts, fail, mayRequest } = openHosts()
  fail(4)
  hosts.request('a')!.answered()
  fail(4)
  expect(mayRequest('a')).toBe(true)
  fail(1)
  expect(mayRequest('a')).toBe(false)
  expect(mayRequest('b')).toBe(true)
  const [dead] = hosts.changes().changed
  expect(dead).toMatchObject({ host: 'a', failures: 5, fault: 'silent', deadSince: 1_000_000 })
})

test('behavior: concurrent failures count once, also for tries that waited before they were sent', () => {
  const { hosts } = openHosts()
  const tries = Array.from({ length: 24 }, () => hosts.request('a')!)
  const failed = (at: number) => tries[at]!.failed('silent')
  expect(Array.from({ length: 10 }, (_, i) => failed(i))).toEqual(Array(10).fill(false))
  expect(hosts.changes().changed).toMatchObject([{ failures: 1, deadSince: null }])
  // From here on each attempt is sent after the previous one failed.
  for (const at of [10, 11, 12, 13]) {
    tries[at]!.sent()
    expect(failed(at)).toBe(false)
  }
  expect(hosts.changes().changed).toMatchObject([{ failures: 5, deadSince: 1_000_000 }])
  expect(Array.from({ length: 10 }, (_, i) => failed(14 + i))).toEqual(Array(10).fill(true))
  expect(hosts.changes().changed).toMatchObject([{ failures: 5 }])
})

test('behavior: one token at a time tries a dead host, less and less often, but at least hourly', () => {
  const { clock, hosts, fail } = openHosts([60_000, 600_000, 604_800_000])
  fail(5)
  const waits: number[] = []
  for (let round = 0; round < 4; round++) {
    const ms = hosts.retryAt()! - clock.now
    waits.push(Math.round(ms / 60_000))
    clock.now += ms - 1
    expect(hosts.request('a')).toBeUndefined()
    clock.now += 1
    const trial = hosts.request('a')
    expect(hosts.request('a')).toBeUndefined()
    expect(trial!.failed('still silent')).toBe(true)
  }
  expect(waits).toEqual([1, 10, 60, 60])
  expect(hosts.changes().back).toEqual([])
})

test('behavior: a dead host that responds is alive again', () => {
  const { clock, hosts, fail, mayRequest } = openHosts()
  fail(5)
  clock.now += 2 * minute
  hosts.request('a')!.answered()
  expect(hosts.changes()).toMatchObject({ back: ['a'], changed: [{ host: 'a', deadSince: null, failures: 0 }] })
  expect([mayRequest('a'), mayRequest('a')]).toEqual([true, true])
  expect(hosts.retryAt()).toBe(null)
})

test('behavior: a busy host is not dead, and a dead host that was not queried stays dead', () => {
  const { clock, hosts, fail, mayRequest } = openHosts()
  for (let i = 0; i < 10; i++) hosts.request('a')!.postponed(minute)
  expect(mayRequest('a')).toBe(true)
  fail(5)
  clock.now += 2 * minute
  hosts.request('a')!.postponed(3 * minute)
  expect(mayRequest('a')).toBe(false)
  expect(hosts.retryAt()! - clock.now).toBe(3 * minute)
})

test('behavior: of thousands of hosts at most a hundred are stored, and at most twenty of those that respond', () => {
  const { hosts } = openHosts()
  for (let i = 0; i < 5_000; i++) hosts.request(`host${i}`)!.answered()
  expect(hosts.changes().changed).toHaveLength(20)
  for (let i = 0; i < 5_000; i++) for (let n = 0; n < 5; n++) hosts.request(`host${i}`)?.failed('silent')
  expect(hosts.changes().changed).toHaveLength(100)
})

/** Returns the number of requests for a thousand tokens of one host, one after another. */
async function requestsFor(url: string, settings = {}) {
  await using client = guardedClient(settings, names({ 'host.test': ['127.0.0.1'] }))
  const hosts = createMetadataHosts([], { retryDelaysMs: [600_000] })
  const origins = { http: client, gateways: { get: () => Promise.reject(new Error('not asked')) } }
  const kinds = new Map<string, number>()
  for (let id = 0n; id < 1_000n; id++) {
    const { kind } = await fetchMetadata(origins, { uri: `${url}/${id}`, tokenId: id, hosts, signal })
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  const values = (await client.metrics.outboundRequests.get()).values
  return { kinds, requests: values.reduce((sum, { value }) => sum + value, 0) }
}

test.concurrent.each(['refused', 'hanging', 'without a name', 'cut'] as const)(
  'behavior: a host that is %s gets requests for only a few of a thousand tokens',
  async (fault) => {
    const server = await createRawServer((_, socket) => {
      if (fault === 'cut') socket.destroy()
    })
    const host = fault === 'without a name' ? 'nowhere.test' : 'host.test'
    if (fault === 'refused') await server.close()
    const { kinds, requests } = await requestsFor(`http://${host}:${server.port}`, {
      timeoutMs: 100,
      maxWaitMs: 600_000,
    })
    if (fault !== 'refused') await server.close()
    expect(kinds).toEqual(
      new Map([
        ['failed', 5],
        ['dead', 995],
      ]),
    )
    expect(requests).toBe(5)
  },
)

test('behavior: concurrent requests that time out together count as one failure of their host', async () => {
  let isFrozen = true
  await using server = await createRawServer((_, socket) => {
    if (!isFrozen) socket.write(httpAnswer(200, '{"name":"One"}'))
  })
  const settings = { timeoutMs: 100, maxWaitMs: 600_000, perHostConcurrency: 20 }
  await using client = guardedClient(settings, names({ 'host.test': ['127.0.0.1'] }))
  const hosts = createMetadataHosts([], { retryDelaysMs: [600_000] })
  const origins = { http: client, gateways: { get: () => Promise.reject(new Error('not asked')) } }
  const read = (id: bigint) =>
    fetchMetadata(origins, { uri: `http://host.test:${server.port}/${id}`, tokenId: id, hosts, signal })
  const together = await Promise.all(Array.from({ length: 20 }, (_, i) => read(BigInt(i))))
  expect(new Set(together.map(({ kind }) => kind))).toEqual(new Set(['failed']))
  expect(hosts.changes().changed).toMatchObject([{ failures: 1, deadSince: null }])
  isFrozen = false
  expect(await read(20n)).toMatchObject({ kind: 'metadata' })
})

test('behavior: a host that responds with errors is queried every time', async () => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(404)))
  const { kinds, requests } = await requestsFor(`http://host.test:${server.port}`)
  expect(kinds).toEqual(new Map([['failed', 1_000]]))
  expect(requests).toBe(1_000)
})
