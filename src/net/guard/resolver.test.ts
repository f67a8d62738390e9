import { createSocket } from 'node:dgram'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rejection } from '../../../test/guardedClient.ts'
import { createNameServer } from '../../../test/nameServer.ts'
import { system } from '../../../test/system.ts'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import { parseHosts } from './hostsFile.ts'
import { createResolver } from './resolver.ts'

const nowhere = '/nowhere/hosts'

test('default: resolves every IPv4 and IPv6 address of a name, ignoring case and a final dot', async () => {
  await using dns = await createNameServer({ 'a.test': ['192.0.2.1', '192.0.2.2', '2001:db8::1'] })
  const resolve = createResolver({ servers: [dns.address], hostsPath: nowhere })
  const expected = [
    { address: '192.0.2.1', family: 4 },
    { address: '192.0.2.2', family: 4 },
    { address: '2001:db8::1', family: 6 },
  ]
  expect(await resolve('a.test')).toEqual(expected)
  expect(await resolve('A.Test.')).toEqual(expected)
})

test('behavior: resolves a name with addresses of one family only', async () => {
  await using dns = await createNameServer({ 'six.test': ['2001:db8::1'] })
  const resolve = createResolver({ servers: [dns.address], hostsPath: nowhere })
  expect(await resolve('six.test')).toEqual([{ address: '2001:db8::1', family: 6 }])
})

test('behavior: sends one lookup for a hundred requests of the same name', async () => {
  await using dns = await createNameServer({ 'a.test': ['192.0.2.1'] })
  const resolve = createResolver({ servers: [dns.address], hostsPath: nowhere })
  await Promise.all([...Array(100)].map(() => resolve('a.test')))
  expect(dns.questions.toSorted()).toEqual(['a.test A', 'a.test AAAA'])
})

test('error: reports ENOTFOUND for an unknown name, and ENODATA for a name without addresses', async () => {
  await using dns = await createNameServer({ 'empty.test': [] })
  const resolve = createResolver({ servers: [dns.address], hostsPath: nowhere })
  expect((await rejection(resolve('gone.test'))).code).toBe('ENOTFOUND')
  expect((await rejection(resolve('empty.test'))).code).toBe('ENODATA')
})

test(
  'error: gives up on an unresponsive name server, and a thousand such names do not block others',
  system,
  async () => {
    const unresponsive = createSocket('udp4')
    await new Promise<void>((done) => unresponsive.bind(0, '127.0.0.1', done))
    await using dns = await createNameServer({ 'a.test': ['192.0.2.1'] })
    const dead = createResolver({
      servers: [`127.0.0.1:${unresponsive.address().port}`],
      hostsPath: nowhere,
      timeoutMs: 1_000,
    })
    const lost = [...Array(1_000).keys()].map((i) => rejection(dead(`n${i}.test`)))
    const found = createResolver({ servers: [dns.address], hostsPath: nowhere })('a.test')
    const first = await Promise.race([found.then(() => 'found'), ...lost.map((name) => name.then(() => 'lost'))])
    expect(first).toBe('found')
    for (const error of await Promise.all(lost)) expect(error.code).toBe('ETIMEOUT')
    unresponsive.close()
  },
)

test('behavior: localhost resolves to loopback without a name server query', async () => {
  await using dns = await createNameServer({})
  const resolve = createResolver({ servers: [dns.address], hostsPath: nowhere })
  for (const name of ['localhost', 'LOCALHOST.', 'a.localhost'])
    expect((await resolve(name)).map(({ address }) => address)).toEqual(['127.0.0.1', '::1'])
  expect(dns.questions).toEqual([])
})

test('behavior: the hosts file takes precedence over name servers', async () => {
  const hostsPath = join(await temporaryFolder(), 'hosts')
  await writeFile(hostsPath, '192.0.2.9 Inner.Test other # a comment\n')
  await using dns = await createNameServer({ 'inner.test': ['192.0.2.1'] })
  const resolve = createResolver({ servers: [dns.address], hostsPath })
  expect(await resolve('inner.test')).toEqual([{ address: '192.0.2.9', family: 4 }])
  expect(dns.questions).toEqual([])
})

test('default: reads a hosts file', () => {
  const text = '# nothing\n127.0.0.1\tlocalhost\n::1 localhost ip6-localhost\n\nbad line\n10.0.0.1  A.b  c # d\r\n'
  expect([...parseHosts(text)]).toEqual([
    ['localhost', ['127.0.0.1', '::1']],
    ['ip6-localhost', ['::1']],
    ['a.b', ['10.0.0.1']],
    ['c', ['10.0.0.1']],
  ])
})
