import { expect, test } from 'vitest'
import { joinUrl } from './endpointUrls.ts'

test.each([
  ['https://node.example/v1', '', 'https://node.example/v1'],
  ['https://node.example/v1/', '', 'https://node.example/v1'],
  ['https://node.example', '', 'https://node.example/'],
  ['https://node.example', '/transactions?start=5&limit=2', 'https://node.example/transactions?start=5&limit=2'],
  ['https://node.example//v1//', 'transactions', 'https://node.example//v1/transactions'],
  ['https://node.example/v1?key=a%2Fb', '', 'https://node.example/v1?key=a%2Fb'],
  ['https://node.example/v1/?key=a&x', '/transactions?start=5', 'https://node.example/v1/transactions?key=a&x&start=5'],
  ['https://user:p%40ss@node.example:8443/v1', '/x', 'https://user:p%40ss@node.example:8443/v1/x'],
  ['https://node.example/v1?key=a#top', '/x?', 'https://node.example/v1/x?key=a'],
  ['https://gw.example/', 'ipfs/Qm/a%20b/1.json?n=1?2', 'https://gw.example/ipfs/Qm/a%20b/1.json?n=1?2'],
  ['https://gw.example/', 'a b/\u00fc', 'https://gw.example/a%20b/%C3%BC'],
])('default: joins %s and %s', (base, path, joined) => {
  expect(joinUrl(base, path).href).toBe(joined)
  expect(joinUrl(new URL(base), path).href).toBe(joined)
})
