import { expect, test } from 'vitest'
import { guardedClient, names } from '../../../test/guardedClient.ts'
import { createRawServer, httpAnswer } from '../../../test/rawServer.ts'
import { createDocumentHosts } from './documentHosts.ts'
import { fetchDocument } from './fetchDocument.ts'

const { signal } = new AbortController()
const minute = 60_000

function openHosts(retryDelaysMs = [minute]) {
  const clock = { now: 1_000_000 }
  const hosts = createDocumentHosts([], { retryDelaysMs, now: () => clock.now })
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) if (hosts.mayAsk('a')) hosts.failed('a', 'silent')
  }
  return { clock, hosts, fail }
}

test('default: five tries in a row without an answer make a host dead', () => {
  const { hosts, fail } = openHosts()
  fail(4)
  hosts.answered('a')
  fail(4)
  expect(hosts.mayAsk('a')).toBe(true)
  fail(1)
  expect(hosts.mayAsk('a')).toBe(false)
  expect(hosts.mayAsk('b')).toBe(true)
  const [dead] = hosts.changes().changed
  expect(dead).toMatchObject({ host: 'a', failures: 5, fault: 'silent', deadSince: 1_000_000 })
})

test('behavior: those that were under way when it died are of it, and tell nothing new', () => {
  const { hosts } = openHosts()
  for (let i = 0; i < 20; i++) hosts.mayAsk('a')
  expect(Array.from({ length: 20 }, () => hosts.failed('a', 'silent'))).toEqual([
    ...Array(5).fill(false),
    ...Array(15).fill(true),
  ])
  expect(hosts.changes().changed).toMatchObject([{ failures: 5 }])
})

test('behavior: one token at a time tries a dead host, ever more seldom, an hour apart at most', () => {
  const { clock, hosts, fail } = openHosts([60_000, 600_000, 604_800_000])
  fail(5)
  const waits: number[] = []
  for (let round = 0; round < 4; round++) {
    const ms = hosts.deadMs('a')
    waits.push(Math.round(ms / 60_000))
    clock.now += ms - 1
    expect(hosts.mayAsk('a')).toBe(false)
    clock.now += 1
    expect([hosts.mayAsk('a'), hosts.mayAsk('a')]).toEqual([true, false])
    expect(hosts.failed('a', 'still silent')).toBe(true)
  }
  expect(waits).toEqual([1, 10, 60, 60])
  expect(hosts.changes().back).toEqual([])
})

test('behavior: an answer brings it back', () => {
  const { clock, hosts, fail } = openHosts()
  fail(5)
  clock.now += 2 * minute
  expect(hosts.mayAsk('a')).toBe(true)
  hosts.answered('a')
  expect(hosts.changes()).toMatchObject({ back: ['a'], changed: [{ host: 'a', deadSince: null, failures: 0 }] })
  expect([hosts.mayAsk('a'), hosts.mayAsk('a'), hosts.deadMs('a')]).toEqual([true, true, 0])
  expect(hosts.retryAt()).toBe(null)
})

test('behavior: a host that is only busy is not dead, and a dead one that was not asked waits on', () => {
  const { clock, hosts, fail } = openHosts()
  for (let i = 0; i < 10; i++) hosts.postponed('a', minute)
  expect(hosts.mayAsk('a')).toBe(true)
  fail(5)
  clock.now += 2 * minute
  expect(hosts.mayAsk('a')).toBe(true)
  hosts.postponed('a', 3 * minute)
  expect(hosts.mayAsk('a')).toBe(false)
  expect(hosts.deadMs('a')).toBe(3 * minute)
})

test('behavior: of thousands of hosts a hundred are remembered, those that answer up to twenty', () => {
  const { hosts } = openHosts()
  for (let i = 0; i < 5_000; i++) {
    expect(hosts.mayAsk(`host${i}`)).toBe(true)
    hosts.answered(`host${i}`)
  }
  expect(hosts.changes().changed).toHaveLength(20)
  for (let i = 0; i < 5_000; i++) for (let n = 0; n < 5; n++) hosts.failed(`host${i}`, 'silent')
  expect(hosts.changes().changed).toHaveLength(100)
})

/** How many requests a thousand documents of one host make, one after the other. */
async function requestsFor(url: string, settings = {}) {
  await using client = guardedClient(settings, names({ 'host.test': ['127.0.0.1'] }))
  const hosts = createDocumentHosts([], { retryDelaysMs: [600_000] })
  const origins = { http: client, gateways: { get: () => Promise.reject(new Error('not asked')) } }
  const kinds = new Map<string, number>()
  for (let id = 0n; id < 1_000n; id++) {
    const { kind } = await fetchDocument(origins, `${url}/${id}`, id, hosts, signal)
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  const values = (await client.metrics.outboundRequests.get()).values
  return { kinds, requests: values.reduce((sum, { value }) => sum + value, 0) }
}

test.concurrent.each(['refused', 'hanging', 'without a name', 'cut'] as const)(
  'behavior: a host that is %s is asked for a few of a thousand documents',
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

test('behavior: a host that answers with errors is asked each time', async () => {
  await using server = await createRawServer((_, socket) => socket.write(httpAnswer(404)))
  const { kinds, requests } = await requestsFor(`http://host.test:${server.port}`)
  expect(kinds).toEqual(new Map([['failed', 1_000]]))
  expect(requests).toBe(1_000)
})
