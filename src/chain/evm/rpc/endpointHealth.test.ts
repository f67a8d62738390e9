import { expect, test } from 'vitest'
import { createEndpointHealth } from './endpointHealth.ts'

const create = () => createEndpointHealth({ random: () => 0.5 })

test('default: a new endpoint may be queried immediately', () => {
  expect(create().waitMs(0, false)).toBe(0)
})

test('behavior: pauses of a dead endpoint grow to a minute, or to five seconds for the only endpoint', () => {
  const health = create()
  const pauses: number[] = []
  let now = 0
  for (let i = 0; i < 9; i++) {
    health.begin()
    health.failure(now, true)
    pauses.push(health.waitMs(now, false))
    now += pauses.at(-1)!
  }
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000])
  health.begin()
  health.failure(now, true)
  expect(health.waitMs(now, true)).toBe(5_000)
})

test('behavior: only one request probes a dead endpoint, and its success opens it for all', () => {
  const health = create()
  health.failure(0, true)
  expect(health.waitMs(500, false)).toBe(0)
  health.begin()
  expect(health.waitMs(500, false)).toBeGreaterThan(0)
  health.success(10)
  expect(health.waitMs(500, false)).toBe(0)
})

test('behavior: errors other than refused connections count from the third in a row', () => {
  const health = create()
  health.failure(0, false)
  health.failure(0, false)
  expect(health.waitMs(0, false)).toBe(0)
  health.success(10)
  health.failure(0, false)
  health.failure(0, false)
  health.failure(0, false)
  expect(health.waitMs(0, false)).toBe(500)
})

test('behavior: an endpoint that answers every third request only is disabled', () => {
  const health = create()
  for (let i = 0; i < 2; i++) {
    health.failure(0, false)
    health.failure(0, false)
    health.success(10)
  }
  expect(health.isOpen()).toBe(false)
  health.failure(0, false)
  health.failure(0, false)
  expect(health.isOpen()).toBe(true)
})

test('behavior: concurrent failures lengthen the pause once', () => {
  const health = create()
  for (let i = 0; i < 16; i++) health.failure(0, true)
  expect(health.waitMs(0, false)).toBe(500)
})

test('behavior: a rate limit pause follows the node, or else grows each time', () => {
  const health = create()
  health.rateLimited(0, 3_000)
  expect(health.waitMs(1_000, true)).toBe(2_000)
  health.rateLimited(3_001, undefined)
  const first = health.waitMs(3_001, true)
  health.rateLimited(10_000, undefined)
  expect(health.waitMs(10_000, true)).toBeGreaterThan(first)
})

test('behavior: errors worsen the score of an endpoint more than slowness', () => {
  const [slow, faulty] = [create(), create()]
  slow.success(2_000)
  for (let i = 0; i < 5; i++) faulty.failure(0, false)
  faulty.success(1)
  expect(faulty.score()).toBeGreaterThan(slow.score())
})
