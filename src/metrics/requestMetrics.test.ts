import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { createRequestMetrics } from './requestMetrics.ts'

function startCounting() {
  const registry = new Registry()
  const { count } = createRequestMetrics({ registers: [registry] })
  /** Returns the value of each line of the published text. */
  async function lines(): Promise<Map<string, number>> {
    const text = await registry.metrics()
    const found = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return new Map(found.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
  }
  return { count, lines }
}

test('default: the next scrape counts every response by method, route and status, and its duration bucket', async () => {
  const { count, lines } = startCounting()
  count('/coins', 'GET', 200, 0.0004)
  count('/coins', 'GET', 200, 0.002)
  count('/coins', 'GET', 304, 30)
  count('/coins/latest', 'POST', 503, 0.003)
  const first = await lines()
  expect(first.get('mintmark_http_requests_total{method="GET",route="/coins",status="200"}')).toBe(2)
  expect(first.get('mintmark_http_requests_total{method="GET",route="/coins",status="304"}')).toBe(1)
  expect(first.get('mintmark_http_requests_total{method="POST",route="/coins/latest",status="503"}')).toBe(1)
  expect(first.get('mintmark_http_seconds_bucket{le="0.0005",method="GET",route="/coins"}')).toBe(1)
  expect(first.get('mintmark_http_seconds_bucket{le="0.002",method="GET",route="/coins"}')).toBe(2)
  expect(first.get('mintmark_http_seconds_bucket{le="+Inf",method="GET",route="/coins"}')).toBe(3)
  expect(first.get('mintmark_http_seconds_sum{method="GET",route="/coins"}')).toBeCloseTo(30.0024)
  expect(first.get('mintmark_http_seconds_count{method="POST",route="/coins/latest"}')).toBe(1)
})

test('behavior: concurrent scrapes neither lose nor double-count requests', async () => {
  const { count, lines } = startCounting()
  for (let i = 1; i <= 3_456; i++) {
    count('/coins', 'GET', i % 5 === 0 ? 304 : 200, 0.001)
    if (i % 777 === 0) await Promise.all([lines(), lines()])
  }
  const last = await lines()
  expect(last.get('mintmark_http_requests_total{method="GET",route="/coins",status="200"}')).toBe(2_765)
  expect(last.get('mintmark_http_requests_total{method="GET",route="/coins",status="304"}')).toBe(691)
  expect(last.get('mintmark_http_seconds_count{method="GET",route="/coins"}')).toBe(3_456)
  expect(last.get('mintmark_http_seconds_bucket{le="0.001",method="GET",route="/coins"}')).toBe(3_456)
  expect(await lines()).toEqual(last)
})
