import { headAgeHeader } from '../../http/pageTarget.ts'
import type { StatusReport } from '../../pages/reportHead.ts'
import type { CollectionReport } from './reportCollection.ts'

/** From the most to the least reliable. */
const statuses = ['synced', 'syncing', 'queued', 'failed']

/** How to combine a header of several collections: the least favourable value wins. */
const together: Record<string, (values: readonly string[]) => string> = {
  'x-index-status': (values) => values.toSorted((a, b) => statuses.indexOf(b) - statuses.indexOf(a))[0]!,
  'x-index-progress': lowest,
  'x-index-metadata-progress': lowest,
  'x-index-from-block': lowest,
  'x-index-to-block': lowest,
  'x-index-head-block': highest,
  'x-index-lag-blocks': highest,
}

/** Taken from the first report that has one: sentences, and the scope of wallets, which is per chain. */
const firsts = ['x-index-failure', 'x-index-incomplete', 'x-index-scope']

/** Omitted unless all collections have one. */
const ofEach = new Set(['x-index-from-block', 'x-index-to-block', 'x-index-lag-blocks'])

/** Headers of an answer without collections: complete. */
const ofNone = { 'x-index-status': 'synced', 'x-index-progress': '1', 'x-index-metadata-progress': '1' }

/** The combined x-index-… headers, by name, of several collections of a chain. */
export function reportedTogether(reports: readonly CollectionReport[]): StatusReport<Map<string, string>> {
  const [confirmedAt] = reports.flatMap((report) => report.confirmedAt ?? []).toSorted((a, b) => a - b)
  return { confirmedAt, at: (now) => joined(reports.map((report) => valuesOf(report.at(now).headers))) }
}

/** The combined x-index-… headers of several collections of a chain, at this moment. */
export function reportedTogetherNow(reports: readonly CollectionReport[]): string[] {
  const now = performance.now()
  const { confirmedAt, at } = reportedTogether(reports)
  return [...[...at(now)].flat(), ...(confirmedAt === undefined ? [] : headAgeHeader(confirmedAt, now))]
}

function joined(all: readonly Map<string, string>[]): Map<string, string> {
  if (all.length === 0) return new Map(Object.entries(ofNone))
  const headers = new Map<string, string>()
  for (const [name, join] of Object.entries(together)) {
    const values = all.flatMap((each) => each.get(name) ?? [])
    if (values.length > 0 && (values.length === all.length || !ofEach.has(name))) headers.set(name, join(values))
  }
  for (const name of firsts) {
    const first = all.map((each) => each.get(name)).find((value) => value !== undefined)
    if (first !== undefined) headers.set(name, first)
  }
  return headers
}

function valuesOf(headers: readonly string[]): Map<string, string> {
  const values = new Map<string, string>()
  for (let i = 0; i < headers.length; i += 2) values.set(headers[i]!, headers[i + 1]!)
  return values
}

function lowest(values: readonly string[]): string {
  return values.toSorted((a, b) => Number(a) - Number(b))[0]!
}

function highest(values: readonly string[]): string {
  return values.toSorted((a, b) => Number(b) - Number(a))[0]!
}
