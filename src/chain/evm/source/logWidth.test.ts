import { expect, test } from 'vitest'
import { createLogWidth } from './logWidth.ts'

test('default: asks the most at first and stays there', () => {
  const width = createLogWidth({ max: 10_000, endpoints: 1 })
  for (let i = 0; i < 20; i++) width.answered(10_000, 'a')
  expect(width.next().width).toBe(10_000)
})

test('behavior: refusals of one moment shrink once', () => {
  const width = createLogWidth({ max: 10_000, endpoints: 1 })
  for (let i = 0; i < 4; i++) width.refused(10_000, 'a', { class: 'result_cap' })
  expect(width.next().width).toBe(5_000)
})

test('behavior: grows again after success, never beyond the cap of the provider', () => {
  const width = createLogWidth({ max: 10_000, endpoints: 1 })
  width.refused(10_000, 'a', { class: 'range_cap', cap: 2_000n })
  width.refused(2_000, 'a', { class: 'result_cap', suggestedWidth: 100n })
  expect(width.next().width).toBe(100)
  for (let i = 0; i < 4; i++) width.answered(100, 'a')
  expect(width.next().width).toBe(150)
  for (let i = 0; i < 100; i++) width.answered(width.next().width, 'a')
  expect(width.next().width).toBe(2_000)
})

test('behavior: a cap is tried again after a time', () => {
  let now = 0
  const width = createLogWidth({ max: 10_000, endpoints: 1, now: () => now })
  width.refused(10_000, 'a', { class: 'range_cap', cap: 2_000n })
  expect(width.next().width).toBe(2_000)
  now = 700_000
  for (let i = 0; i < 40; i++) width.answered(width.next().width, 'a')
  expect(width.next().width).toBe(10_000)
})

test('behavior: a short range that passes does not widen', () => {
  const width = createLogWidth({ max: 10_000, endpoints: 1 })
  width.refused(10_000, 'a', undefined)
  for (let i = 0; i < 100; i++) width.answered(10, 'a')
  expect(width.next().width).toBe(5_000)
})

test('behavior: of two endpoints the wider one sets the width, and both caps the widest of them', () => {
  const width = createLogWidth({ max: 10_000, endpoints: 2 })
  width.refused(10_000, 'narrow', { class: 'range_cap', cap: 10n })
  expect(width.next()).toEqual({ width: 10_000, avoid: new Set(['narrow']) })
  width.refused(10_000, 'wide', { class: 'range_cap', cap: 800n })
  expect(width.next()).toEqual({ width: 800, avoid: new Set(['narrow']) })
})

test('behavior: a suggestion or cap that is no narrower is not believed', () => {
  const width = createLogWidth({ max: 10_000, endpoints: 1 })
  width.refused(1_000, 'a', { class: 'range_cap', cap: 10_000n })
  expect(width.next().width).toBe(500)
  width.refused(500, 'a', { class: 'result_cap', suggestedWidth: 1_000_000n })
  expect(width.next().width).toBe(250)
})

test('behavior: never below one block', () => {
  const width = createLogWidth({ max: 10, endpoints: 1 })
  for (let i = 0; i < 10; i++) width.refused(width.next().width, 'a', { class: 'unknown' })
  expect(width.next().width).toBe(1)
})
