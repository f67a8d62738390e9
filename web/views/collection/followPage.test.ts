import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import { ApiFault } from '../../api/apiFault.ts'
import type { Polled } from '../../api/poller.ts'
import { followPage } from './followPage.ts'

test('behavior: unchanged data is reported once, also after repeated 304 responses', () => {
  const nothing: Polled<string[]> = { data: undefined, headers: undefined, fault: undefined, at: null }
  const state = signal(nothing)
  const reported: (string[] | string | undefined)[] = []
  const faults: (string | undefined)[] = []
  const stop = followPage(
    state,
    (data) => reported.push(data),
    (fault) => faults.push(fault?.message),
  )
  const first = ['a']
  state.value = { ...nothing, data: first, at: 1 }
  for (let at = 2; at < 10; at++) state.value = { ...state.value, at }
  state.value = { ...state.value, fault: new ApiFault('away', { status: 503 }) }
  state.value = { ...state.value, fault: undefined, at: 10 }
  state.value = { ...state.value, data: ['a', 'b'], at: 11 }
  stop()
  state.value = { ...state.value, data: ['c'], at: 12 }
  expect(reported).toEqual([['a'], ['a', 'b']])
  expect(reported[0]).toBe(first)
  expect(faults.filter((fault) => fault !== undefined)).toEqual(['away'])
})
