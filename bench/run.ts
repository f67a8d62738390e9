import { once } from 'node:events'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { allAtOnce, allAtOnceApart } from './allAtOnce.ts'
import { asOfPage } from './asOfPage.ts'
import { cachedPage } from './cachedPage.ts'
import { citus } from './citus.ts'
import { coinsHistory } from './coinsHistory.ts'
import { coinsPages } from './coinsPages.ts'
import { consoleLoad } from './consoleLoad.ts'
import { delivery } from './delivery.ts'
import { dialectPages } from './dialectPages.ts'
import { discovery } from './discovery.ts'
import { documentPages } from './documentPages.ts'
import { type Figure, type FigureOptions, type Row, reached } from './figure.ts'
import { filteredPage } from './filteredPage.ts'
import { firstPage } from './firstPage.ts'
import { firstRequestFar } from './firstRequestFar.ts'
import { followedWallets } from './followedWallets.ts'
import { history, history1155, historyMints } from './history.ts'
import { historyCapped } from './historyCapped.ts'
import { holders } from './holders.ts'
import { idle } from './idle.ts'
import { isolation } from './isolation.ts'
import { latency } from './latency.ts'
import { matching } from './matching.ts'
import { metadata } from './metadata.ts'
import { neighbours } from './neighbours.ts'
import { overload } from './overload.ts'
import { ownersPages } from './ownersPages.ts'
import { previews } from './previews.ts'
import { type Section, table, writeReport } from './report.ts'
import { sizes } from './sizes.ts'
import { slowReceiver } from './slowReceiver.ts'
import { snapshot } from './snapshot.ts'
import { statements } from './statements.ts'
import { takeover } from './takeover.ts'
import { transferPages } from './transferPages.ts'
import { uncachedPage } from './uncachedPage.ts'
import { walletHistories } from './walletHistories.ts'
import { walletIndex } from './walletIndex.ts'
import { walletPages } from './walletPages.ts'

/**
 * `npm run bench [-- [--strict] [--keep] [--rows N] [--wait] figure …]` measures all figures or the named ones. It prints them and writes
 * them to docs/measurements.md.
 *
 * - `--strict`: a missed goal is a failure.
 * - `--keep`: docs/measurements.md stays unchanged.
 * - `--rows N`: the rows on the large side of `sizes`.
 * - `--wait`: `sizes` and `neighbours` store their data and then wait for a line on standard input, as the best time to measure may be later.
 */
const figures: readonly Figure[] = [
  history,
  history1155,
  historyMints,
  historyCapped,
  firstPage,
  firstRequestFar,
  uncachedPage,
  transferPages,
  documentPages,
  dialectPages,
  walletPages,
  filteredPage,
  ownersPages,
  holders,
  cachedPage,
  consoleLoad,
  metadata,
  previews,
  coinsHistory,
  coinsPages,
  delivery,
  slowReceiver,
  idle,
  isolation,
  neighbours,
  latency,
  matching,
  walletIndex,
  walletHistories,
  discovery,
  followedWallets,
  asOfPage,
  snapshot,
  sizes,
  statements,
  citus,
  takeover,
  allAtOnce,
  allAtOnceApart,
  overload,
]
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    strict: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    rows: { type: 'string' },
    wait: { type: 'boolean', default: false },
  },
})
const count = values.rows === undefined ? undefined : Number(values.rows)
if (count !== undefined && !(Number.isSafeInteger(count) && count > 0)) {
  process.stderr.write(`--rows is ${values.rows}; allowed: a whole number above 0\n`)
  process.exit(2)
}
const options: FigureOptions = {
  ...(count !== undefined && { rows: count }),
  ...(values.wait && { seeded: untilEnter }),
}
const unknown = positionals.filter((name) => !figures.some((figure) => figure.name === name))
if (unknown.length > 0) {
  process.stderr.write(`no such figure: ${unknown.join(', ')}; there are ${figures.map((f) => f.name).join(', ')}\n`)
  process.exit(2)
}

async function untilEnter(): Promise<void> {
  process.stdout.write('seeded; press Enter to measure\n')
  await once(process.stdin, 'data')
  process.stdin.pause()
}

const sections: Section[] = []
for (const figure of figures) {
  if (positionals.length > 0 && !positionals.includes(figure.name)) continue
  if (figure.missing !== undefined) {
    process.stdout.write(`${figure.name}: ${figure.missing}\n`)
    continue
  }
  const section = { name: figure.name, title: figure.title, rows: await figure.run(options) }
  sections.push(section)
  process.stdout.write(`${table(section)}\n`)
}
if (!values.keep) writeReport(sections, `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}`)
const missed: Row[] = sections.flatMap((section) => section.rows.filter((row) => !reached(row)))
process.stdout.write(`${missed.length === 0 ? 'every goal is reached' : `${missed.length} goals are missed`}\n`)
if (values.strict && missed.length > 0) process.exitCode = 1
