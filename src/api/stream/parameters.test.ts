import { expect, test, vi } from 'vitest'
import { instant } from './parameters.ts'

const parse = (text: string) => instant({ description: 'A time.' }).safeParse(text).data?.toISOString()

test('default', () => {
  expect(parse('2026-01-31T12:00:00Z')).toBe('2026-01-31T12:00:00.000Z')
  expect(parse('2024-02-29')).toBe('2024-02-29T00:00:00.000Z')
  expect(parse('1700000000')).toBe('2023-11-14T22:13:20.000Z')
  expect(parse('1700000000123')).toBe('2023-11-14T22:13:20.123Z')
})

test('behavior: a time without a zone is read as UTC, in any time zone of the server', () => {
  vi.stubEnv('TZ', 'America/New_York')
  try {
    expect(parse('2026-01-31T12:00:00')).toBe('2026-01-31T12:00:00.000Z')
    expect(parse('2026-01-31 12:00')).toBe('2026-01-31T12:00:00.000Z')
    expect(parse('2026-01-31T12:00:00-05:00')).toBe('2026-01-31T17:00:00.000Z')
    expect(parse('2026-01-31')).toBe('2026-01-31T00:00:00.000Z')
  } finally {
    vi.unstubAllEnvs()
  }
})

test('error: rejects days that do not exist', () => {
  const times = ['2022-02-30', '2022-02-30T12:00:00Z', '2023-02-29T00:00:00+01:00', '2022-13-01']
  expect(times.map(parse)).toEqual(times.map(() => undefined))
})

test('error: a date without hyphens is not read as seconds', () => {
  for (const text of ['20260131', '2026', '0', '170000000', '17000000000'])
    expect([text, parse(text)]).toEqual([text, undefined])
})
