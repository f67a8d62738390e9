import { headAgeHeader } from '../http/pageTarget.ts'
import type { TellCollection } from './tellCollection.ts'

/** From the most to the least that clients may rely on. */
const statuses = ['synced', 'syncing', 'queued', 'failed']

/** What one header says of several collections: the least that holds for all of them. */
const together: Record<string, (values: readonly string[]) => string> = {
  'x-index-status': (values) => values.toSorted((a, b) => statuses.indexOf(b) - statuses.indexOf(a))[0]!,
  'x-index-progress': lowest,
  'x-index-metadata-progress': lowest,
  'x-index-from-block': lowest,
  'x-index-to-block': lowest,
  'x-index-head-block': highest,
  'x-index-lag-blocks': highest,
}

/** These are the first collection's that has one: they are sentences. */
const sentences = ['x-index-failure', 'x-index-incomplete']

/** A block that is not known of one collection is not known of all. */
const ofEach = new Set(['x-index-from-block', 'x-index-to-block', 'x-index-lag-blocks'])

/**
 * The x-index-… headers of an answer that is given now and shows several collections of a chain. Of no collection at all everything is
 * known.
 */
export function toldTogetherNow(tellings: readonly TellCollection[]): string[] {
  const now = performance.now()
  if (tellings.length === 0)
    return ['x-index-status', 'synced', 'x-index-progress', '1', 'x-index-metadata-progress', '1']
  const all = tellings.map((tell) => valuesOf(tell.at(now).headers))
  const headers: string[] = []
  for (const [name, join] of Object.entries(together)) {
    const values = all.flatMap((each) => each.get(name) ?? [])
    if (values.length > 0 && (values.length === all.length || !ofEach.has(name))) headers.push(name, join(values))
  }
  for (const name of sentences) {
    const sentence = all.map((each) => each.get(name)).find((value) => value !== undefined)
    if (sentence !== undefined) headers.push(name, sentence)
  }
  const [first] = tellings.flatMap(({ confirmedAt }) => confirmedAt ?? []).toSorted((a, b) => a - b)
  return first === undefined ? headers : [...headers, ...headAgeHeader(first, now)]
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
