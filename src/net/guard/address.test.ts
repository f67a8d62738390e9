import { expect, test } from 'vitest'
import { blockedReason, isPublicAddress, parseNetwork } from './address.ts'

const allow = (...networks: string[]) => networks.map((text) => parseNetwork(text)!)

const blocked: [string, string][] = [
  ['0.0.0.0', 'unspecified'],
  ['0.1.2.3', 'this network'],
  ['10.0.0.1', 'private'],
  ['10.255.255.255', 'private'],
  ['100.64.0.1', 'shared (CGNAT)'],
  ['100.127.255.255', 'shared (CGNAT)'],
  ['100.100.100.200', 'cloud metadata'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['168.63.129.16', 'cloud metadata'],
  ['169.254.0.1', 'link-local'],
  ['169.254.169.254', 'cloud metadata'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.0.0.1', 'reserved'],
  ['192.0.0.192', 'cloud metadata'],
  ['192.0.2.1', 'documentation'],
  ['192.88.99.1', '6to4'],
  ['192.168.1.1', 'private'],
  ['198.18.0.1', 'benchmarking'],
  ['198.19.255.255', 'benchmarking'],
  ['198.51.100.7', 'documentation'],
  ['203.0.113.7', 'documentation'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['::2', 'reserved'],
  ['::7f00:1', 'reserved'],
  ['::169.254.169.254', 'cloud metadata'],
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['0:0:0:0:0:ffff:0a00:0001', 'private'],
  ['::ffff:169.254.169.254', 'cloud metadata'],
  ['::ffff:0:10.0.0.1', 'reserved'],
  ['::ffff:0:169.254.169.254', 'cloud metadata'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['64:ff9b::a9fe:a9fe', 'cloud metadata'],
  ['64:ff9b::7f00:1', 'loopback'],
  ['64:ff9b:1::1', 'local NAT64'],
  ['64:ff9b:1::a9fe:a9fe', 'cloud metadata'],
  ['100::1', 'reserved'],
  ['2001::1', 'Teredo'],
  // Teredo contains the client's address inverted: this one is 169.254.169.254.
  ['2001:0:4136:e378:8000:63bf:5601:5601', 'cloud metadata'],
  ['2001:2::1', 'benchmarking'],
  ['2001:10::1', 'reserved'],
  ['2001:20::1', 'reserved'],
  ['2001:db8::1', 'documentation'],
  ['2002:7f00:1::1', '6to4'],
  ['2002:808:808::1', '6to4'],
  ['2002:a9fe:a9fe::1', 'cloud metadata'],
  ['3fff::1', 'documentation'],
  ['3ffe::1', 'reserved'],
  ['4000::1', 'reserved'],
  ['5f00::1', 'reserved'],
  ['fc00::1', 'private'],
  ['fd00::1', 'private'],
  ['fd00:ec2::254', 'cloud metadata'],
  ['fd20:ce::254', 'cloud metadata'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['febf::1', 'link-local'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['ff0e::1', 'multicast'],
  ['', 'malformed'],
  ['example.com', 'malformed'],
  ['0x7f.1', 'malformed'],
  ['2130706433', 'malformed'],
]

test.each(blocked)('error: blocks %s as %s', (ip, reason) => {
  expect(blockedReason(ip)).toBe(reason)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:800::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
])('default: %s is a public address', (ip) => {
  expect(isPublicAddress(ip)).toBe(true)
})

test('behavior: an allowed address or network is reachable, its private neighbors are not', () => {
  expect(blockedReason('127.0.0.1', allow('127.0.0.1'))).toBeUndefined()
  expect(blockedReason('127.0.0.2', allow('127.0.0.1'))).toBe('loopback')
  expect(blockedReason('10.1.2.3', allow('10.0.0.0/8'))).toBeUndefined()
  expect(blockedReason('11.1.2.3', allow('10.0.0.0/8'))).toBeUndefined()
  expect(blockedReason('fd12::1', allow('fd12::/16'))).toBeUndefined()
  expect(blockedReason('fd13::1', allow('fd12::/16'))).toBe('private')
  expect(blockedReason('::1', allow('127.0.0.1'))).toBe('loopback')
})

test('behavior: an allowed IPv4 address is also allowed in its mapped and NAT64 IPv6 forms, and in no other', () => {
  expect(blockedReason('::ffff:127.0.0.1', allow('127.0.0.1'))).toBeUndefined()
  expect(blockedReason('64:ff9b::10.0.0.1', allow('10.0.0.0/8'))).toBeUndefined()
  expect(blockedReason('2002:a00:1::1', allow('10.0.0.0/8'))).toBe('6to4')
  expect(blockedReason('::10.0.0.1', allow('10.0.0.0/8'))).toBe('reserved')
})

test.each([
  '169.254.169.254',
  '169.254.7.7',
  '168.63.129.16',
  '100.100.100.200',
  'fd00:ec2::254',
  'fe80::1',
  '::ffff:169.254.169.254',
  '64:ff9b::169.254.169.254',
  '2002:a9fe:a9fe::',
])('error: %s stays blocked even if everything is allowed', (ip) => {
  expect(blockedReason(ip, allow('0.0.0.0/0', '::/0', ip))).toMatch(/link-local|cloud metadata/)
})

test('behavior: all other addresses are open when everything is allowed', () => {
  const all = allow('0.0.0.0/0', '::/0')
  const open = ['127.0.0.1', '10.0.0.1', '::1', 'fd00::1', '::ffff:10.0.0.1']
  expect(open.map((ip) => blockedReason(ip, all))).toEqual(open.map(() => undefined))
})

test.each([
  '',
  'x',
  '10.0.0.0/33',
  '::/129',
  '10.0.0.0/',
  '10.0.0.0/8/8',
  '10.0.0.0/-1',
  'fe80::1%eth0',
  '0x7f.1',
  '10/8',
])('error: "%s" is not a valid network', (text) => {
  expect(parseNetwork(text)).toBeUndefined()
})
