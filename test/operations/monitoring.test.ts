import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { startAnvil } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { startTestServer, testApiKey } from '../mintmark.ts'
import { startStreamServer } from '../stream/streamServer.ts'
import { system } from '../system.ts'
import { isServed, selectedMetrics } from './promql.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Fields of a metric that prom-client has but does not declare in its types. */
const described = z.object({
  name: z.string(),
  help: z.string(),
  labelNames: z.array(z.string()),
  type: z.string().optional(),
})

function declared(processMetrics: boolean) {
  return createMetrics({ processMetrics })
    .registry.getMetricsAsArray()
    .map((metric) => ({ kind: metric.constructor.name.toLowerCase(), ...described.parse(metric) }))
}

const alerts = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            labels: z.object({ severity: z.enum(['page', 'warn']) }),
            annotations: z.object({ summary: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(read('deploy/prometheus/alerts.yml')))
  .groups.flatMap(({ rules }) => rules)

const target = z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string() })
const grid = z.object({ h: z.int().positive(), w: z.int().positive(), x: z.int().min(0), y: z.int().min(0) })
const panel = z.object({ id: z.int(), type: z.string(), title: z.string().min(1), gridPos: grid })
const row = panel.extend({ type: z.literal('row'), panels: z.array(z.never()) })
const chart = panel.extend({
  type: z.enum(['timeseries', 'stat']),
  datasource: z.object({ type: z.literal('prometheus'), uid: z.string().regex(/^\$\{datasource\}$/) }),
  targets: z.array(target).min(1),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string() }) }),
})
const dashboard = z
  .object({
    uid: z.string().min(1),
    title: z.string(),
    schemaVersion: z.int().min(30),
    templating: z.object({
      list: z.tuple([
        z.object({ name: z.literal('datasource'), type: z.literal('datasource'), query: z.literal('prometheus') }),
        z.object({ name: z.literal('chain'), type: z.literal('query'), definition: z.string() }),
      ]),
    }),
    panels: z.array(z.union([row, chart])),
  })
  .parse(JSON.parse(read('deploy/grafana/mintmark.json')))
const charts = dashboard.panels.filter((p) => 'targets' in p)

/** Metric names at `/metrics`, with the labels of their samples. */
async function served(url: string): Promise<Map<string, Set<string>>> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${testApiKey}` } })
  expect(response.status).toBe(200)
  const found = new Map<string, Set<string>>()
  for (const line of (await response.text()).split('\n')) {
    const name = /^# TYPE (\S+)/.exec(line)?.[1]
    if (name) found.set(name, new Set())
    const sample = /^(\w+?)(?:_bucket|_sum|_count)?\{(.*)\} /.exec(line)
    for (const [, label] of sample?.[2]?.matchAll(/(\w+)="/g) ?? [])
      (found.get(sample![1]!) ?? found.get(/^\w+/.exec(line)![0]))?.add(label!)
  }
  return found
}

test('default: a running service serves every metric and label of the dashboard and the alerts', system, async () => {
  await using anvil = await startAnvil()
  const contract = await anvil.deploy(plain721, ['Seen', 'SEE', ''])
  await using streams = await startStreamServer(anvil.url, {})
  const { id } = await streams.create({ includeContractLogs: true })
  await streams.add(id, contract)
  await anvil.send({ to: contract, abi: plain721.abi, functionName: 'mint', args: [anvil.accounts[0]!, 1n] })
  await streams.server.untilSynced(contract, await anvil.blockNumber())
  const samples = async (name: string) => (await served(streams.server.url)).get(name)?.size
  for (const name of ['mintmark_webhook_attempts_total', 'mintmark_streams', 'mintmark_webhooks_total'])
    await expect.poll(() => samples(name)).toBe(1)

  const text = await (await streams.server.get('/metrics')).text()
  expect(text).toMatch(/^mintmark_build_info\{version="\d+\.\d+\.\d+[^"]*",node="v24\.[^"]+",role="all"\} 1$/m)
  await expect
    .poll(async () => (await streams.server.get('/metrics')).text())
    .toMatch(/^mintmark_database_bytes [1-9]\d{6,}$/m)
  for (const state of ['matched', 'delivered', 'failed', 'dropped'])
    expect(text).toMatch(new RegExp(`^mintmark_webhooks_total\\{state="${state}"\\} \\d+$`, 'm'))
  expect(text).toMatch(/^mintmark_webhooks_pending \d+$/m)
  expect(text).toMatch(/^mintmark_http_requests_total\{method="PUT",route="\/streams\/evm",status="200"\} 1$/m)

  const now = await served(streams.server.url)
  const known = new Map(declared(true).map(({ name, labelNames }) => [name, labelNames]))
  expect([...now.keys()].sort()).toEqual([...known.keys()].sort())
  for (const [name, labels] of now)
    expect({
      name,
      labels: [...labels].filter((label) => label !== 'le' && !known.get(name)!.includes(label)),
    }).toEqual({
      name,
      labels: [],
    })
  const expressions = [
    ...alerts.map(({ expr }) => expr),
    ...charts.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    dashboard.templating.list[1].definition.replace(/label_values\((\w+), (\w+)\)/, 'max by ($2) ($1)'),
  ]
  for (const expression of expressions) {
    const selected = selectedMetrics(expression)
    expect(selected.length, expression).toBeGreaterThan(0)
    // Both sides of a division or an `and` are grouped alike, so all metrics need the labels of each.
    expect(
      selected.filter((one) => !isServed(one, known)),
      expression,
    ).toEqual([])
  }
})

test('behavior: a process of role sync or deliver serves health, readiness and metrics, and nothing else', async () => {
  await using anvil = await startAnvil()
  for (const role of ['sync', 'deliver'] as const) {
    await using server = await startTestServer({ rpc: [anvil.url], config: { role } })
    await expect.poll(async () => (await fetch(`${server.url}/ready`)).status).toBe(200)
    expect((await fetch(`${server.url}/health`)).status).toBe(200)
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401)
    expect((await served(server.url)).size).toBe(declared(true).length)
    expect((await server.get('/stats')).status).toBe(404)
  }
})

/** For metrics that only grow (counters and series of histograms), only the rate is meaningful. */
test('behavior: counters end in _total, and alerts and charts use rate() for counters and histograms only', () => {
  const types = new Map(declared(true).map(({ name, kind, type }) => [name, type ?? kind]))
  for (const { name, kind, type } of declared(false)) {
    const isCounter = (type ?? kind) === 'counter'
    expect({ name, isCounter }).toEqual({ name, isCounter: name.endsWith('_total') })
  }
  for (const expression of [
    ...alerts.map(({ expr }) => expr),
    ...charts.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]) {
    const rates = [...expression.matchAll(/\b(?:rate|increase)\(([^)]*\[[^\]]*\])\)/g)].map(([, inner]) => inner!)
    const isGrowing = ({ name }: { name: string }) =>
      types.get(name) === 'counter' || types.get(name.replace(/_(?:bucket|sum|count)$/, '')) === 'histogram'
    const growing = selectedMetrics(expression).filter(isGrowing)
    const requested = rates.flatMap((rate) => selectedMetrics(rate))
    expect({ expression, requested: requested.map(({ name }) => name) }).toEqual({
      expression,
      requested: growing.map(({ name }) => name),
    })
  }
})

test('behavior: histogram buckets reach from a millisecond to ten seconds, each at most 2.5 times the previous', async () => {
  const { registry } = createMetrics()
  const timed = declared(false).filter(({ kind }) => kind === 'histogram')
  expect(timed.length).toBeGreaterThan(4)
  for (const { name } of timed) {
    const { upperBounds } = z.object({ upperBounds: z.array(z.number()) }).parse(registry.getSingleMetric(name))
    expect({ name, first: upperBounds[0]! <= 0.001, last: upperBounds.at(-1)! >= 10 }).toEqual({
      name,
      first: true,
      last: true,
    })
    const wide = upperBounds.filter((bound, i) => i > 0 && bound / upperBounds[i - 1]! > 2.51)
    expect({ name, wide }).toEqual({ name, wide: [] })
  }
})

test('behavior: dashboard panels have unique ids and do not overlap', () => {
  const ids = dashboard.panels.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)} ${y + Math.floor(i / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(dashboard.panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([])
})

test('behavior: every metric of this service is in the dashboard', () => {
  const shown = new Set(
    charts.flatMap(({ targets }) =>
      targets.flatMap(({ expr }) => selectedMetrics(expr).map(({ name }) => name.replace(/_bucket$/, ''))),
    ),
  )
  expect(
    declared(false)
      .filter(({ name }) => !shown.has(name))
      .map(({ name }) => name),
  ).toEqual([])
})

test('behavior: docs/operations.md lists every metric with its labels and meaning, and no other', () => {
  const rows = read('docs/operations.md')
    .split('\n')
    .filter((line) => line.startsWith('| `mintmark_'))
  expect(rows).toEqual(
    declared(false).map(
      ({ name, kind, type, labelNames, help }) =>
        `| \`${name}\` | ${type ?? kind} | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${help} |`,
    ),
  )
})

test('behavior: docs/operations.md has a runbook entry for every alert, and no other', () => {
  const runbook = read('docs/operations.md').split('\n## Runbook\n')[1]!
  expect([...runbook.matchAll(/^### (\w+)$/gm)].map(([, name]) => name)).toEqual(alerts.map(({ alert }) => alert))
  for (const section of runbook.split('\n### ').slice(1)) expect(section).toMatch(/\n1\. .+\n2\. .+\n3\. /)
})
