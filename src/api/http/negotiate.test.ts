import { expect, test } from 'vitest'
import { createNegotiate } from './negotiate.ts'

const negotiate = createNegotiate()

test.each<[string | undefined, boolean]>([
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['application/json', true],
  ['Application/JSON; charset=utf-8', true],
  ['application/json, text/plain, */*', true],
  ['text/html;q=0.9, application/*;q=0.1', true],
  ['text/html', false],
  ['text/html, */*;q=0', false],
  ['application/json;q=0, */*', false],
  ['application/*;q=0, */*;q=0.5', false],
  ['application/json;q=2', false],
])('default: decides whether Accept %s admits JSON', (accept, admits) => {
  expect(negotiate.admitsJson(accept)).toBe(admits)
  expect(negotiate.admitsJson(accept)).toBe(admits)
})

test.each<[string | undefined, string]>([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0, gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0.2, identity', 'identity'],
  ['deflate', 'identity'],
])('default: chooses the encoding for Accept-Encoding %s', (accept, encoding) => {
  expect(negotiate.encoding(accept)).toBe(encoding)
})
