import type { FarCounts, NodeRules } from '../test/farNode.ts'
import { startChild } from './child.ts'
import type { FarAddress, FarStandInInput } from './farStandIn.ts'
import type { Figure, Row } from './figure.ts'
import { secondsUntilSynced, startMeasuredService } from './measuredService.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

const delayMs = 80
const blocks = 20_000_000
const first = 1_000_000

/** Four nodes with limits as providers have them. The last has a tenth of the blocks, as all of them would need minutes of necessary calls. */
const nodes: readonly { name: string; rules: NodeRules; blocks: number }[] = [
  { name: 'no limit', rules: { delayMs }, blocks },
  { name: 'at most 10,000 blocks', rules: { delayMs, maxBlocks: 10_000 }, blocks },
  { name: 'at most 10,000 logs', rules: { delayMs, maxLogs: 10_000 }, blocks },
  {
    name: 'at most 1,000 blocks and 25 calls/s',
    rules: { delayMs, maxBlocks: 1_000, callsPerSecond: 25 },
    blocks: blocks / 10,
  },
]

const contracts = [
  { name: 'sparse', mints: 300 },
  { name: 'dense', mints: 40_000 },
] as const

/** The most logs of one response: a larger one takes too much memory. */
const logsOfAnswer = 20_000
/** Concurrent requests by default (`rpc.maxConcurrency`). */
const underWay = 16
/**
 * Sequential round trips apart from the history:
 * - the chain id, the head, and the contract's own data: one each
 * - the contract's first block: two
 * - headers and logs up to the head: two
 */
const otherRounds = 7
/**
 * Calls apart from the history. They matter where the node limits calls:
 * - headers of the newest 1,024 final blocks, which show whether logs are missing
 * - headers and logs of the 64 blocks above
 * - 96 calls for the contract's first block
 */
const otherCalls = 1_024 + 2 * 64 + 96 + otherRounds

/** Seconds of the calls that every reader of this history needs under the node's limits. */
function necessarySeconds(
  rules: NodeRules,
  shape: { blocks: number; mints: number },
): { ranges: number; seconds: number } {
  const byBlocks = Math.ceil(shape.blocks / (rules.maxBlocks ?? shape.blocks))
  const byLogs = Math.ceil(shape.mints / (rules.maxLogs ?? logsOfAnswer))
  const ranges = Math.max(byBlocks, byLogs)
  const rounds = otherRounds + Math.ceil(ranges / underWay)
  const seconds = Math.max(
    (rounds * delayMs) / 1_000,
    (ranges + otherCalls) / (rules.callsPerSecond ?? Number.POSITIVE_INFINITY),
  )
  return { ranges, seconds }
}

/** Measures the first request for a collection far from the head, beside the calls that every reader needs. */
export const firstRequestFar: Figure = {
  name: 'first-request-far',
  title:
    'First request for a contract with 20,000,000 blocks, until it is complete; four kinds of nodes that answer after 80 ms',
  async run() {
    const rows: Row[] = []
    for (const node of nodes) for (const contract of contracts) rows.push(...(await measure(node, contract)))
    return rows
  },
}

async function measure(node: (typeof nodes)[number], contract: (typeof contracts)[number]): Promise<Row[]> {
  const input: FarStandInInput = { rules: node.rules, first, blocks: node.blocks, mints: contract.mints }
  const standIn = startChild('./farStandIn.ts', input)
  const address = await standIn.next<FarAddress>()
  const postgres = await startTemporaryPostgres()
  const service = await startMeasuredService({ databaseUrl: postgres.url, nodeUrl: address.url })
  const seconds = await secondsUntilSynced(service.url, address)
  standIn.send('counts')
  const counts = await standIn.next<FarCounts>()
  await service.stop()
  await postgres.stop()
  await standIn.stop()
  const shape = { blocks: node.blocks, mints: contract.mints }
  const necessary = necessarySeconds(node.rules, shape)
  const name = `${node.name}, ${contract.name}`
  const calls = Object.values(counts.calls).reduce((sum, count) => sum + count, 0)
  process.stdout.write(`${name}: ${JSON.stringify(counts)}\n`)
  return [
    { what: `${name}: complete after`, value: seconds, unit: 's', goal: { atMost: 1.3 * necessary.seconds } },
    { what: `${name}: time of the necessary calls`, value: necessary.seconds, unit: 's' },
    {
      what: `${name}: ranges of logs requested`,
      value: counts.ranges,
      unit: `of ${necessary.ranges} necessary`,
    },
    { what: `${name}: calls in total`, value: calls, unit: '' },
    {
      what: `${name}: most rejections of the same range width`,
      value: Math.max(0, ...Object.values(counts.rejected)),
      unit: `of ${Object.keys(counts.rejected).length} widths`,
      goal: { atMost: 1 },
    },
    { what: `${name}: requests rejected by the rate limit`, value: counts.rateLimited, unit: '' },
    { what: `${name}: most logs in one answer`, value: counts.mostLogs, unit: '', goal: { atMost: logsOfAnswer } },
  ]
}
