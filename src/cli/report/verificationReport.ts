import type { Verification } from '../../nft/verify/verification.ts'
import type { NamedChain } from '../../sync/chainNames.ts'
import type { Address } from '../../util/hex.ts'
import type { Print } from './print.ts'

/** Most printed lines of mismatches. */
const mostLines = 20

/** Compared data and results, as JSON. */
export function verificationReport(chain: NamedChain, address: Address, verification: Verification) {
  return { chain: chain.name, address, agrees: faultOf(verification) === undefined, ...verification }
}

/** The differences, as a sentence; undefined: everything agrees. */
export function faultOf(verification: Verification): string | undefined {
  const { mismatchCounts, nodeDifferenceCount, nodeDifferences, counters, walletFaults } = verification
  const counts = Object.entries(mismatchCounts).map(([kind, count]) => `${count} ${kind}`)
  const nodes = [...new Set(nodeDifferences.map((difference) => difference.node))]
  const faults: string[] = []
  if (counts.length > 0)
    faults.push(
      `stored data differs from the chain (${counts.join(', ')}): ${
        counts.length === 1 && mismatchCounts.uri
          ? 'contracts may change token URIs without an event, so refresh their metadata'
          : 'verify against another node before you trust either'
      }`,
    )
  if (nodes.length > 0)
    faults.push(
      `${nodes.join(' and ')} returned ${nodeDifferenceCount} responses that differ from another node: check which one lags or is broken`,
    )
  for (const { counter, stored, recounted } of counters)
    faults.push(`the collection's counter of ${counter} is ${stored}, the recount ${recounted}`)
  const ofWallets = Object.entries(walletFaults ?? {}).filter(([, count]) => count > 0n)
  if (ofWallets.length > 0)
    faults.push(
      `the wallet tables differ from the collection: ${ofWallets.map(([what, count]) => `${count} ${what}`).join(', ')}`,
    )
  return faults.length === 0 ? undefined : faults.join('; ')
}

export function printVerification(print: Print, chain: NamedChain, address: Address, verification: Verification): void {
  const { standard, block, blockHash, source, sample, nodes, compared } = verification
  print.line(`${chain.name} ${address}, ${standard}, at block ${block} (${blockHash})`)
  const what = [
    `${compared.tokens} tokens`,
    ...(standard === 'ERC1155' || compared.balances > 0 ? [`${compared.balances} balances`] : []),
    `${compared.uris} token URIs`,
  ]
  const requested = nodes.filter((node) => node.failure === null).map(({ node }) => node)
  print.line(`compared ${what.join(', ')} with ${requested.join(' and ')}`)
  if (source === 'rebuilt')
    print.line('rebuilt from the stored transfers up to that block; token URIs are not compared')
  if (sample) print.line(`a sample of ${sample.size}; repeat it with --seed ${sample.seed}`)
  for (const { node, failure } of nodes)
    if (failure !== null) print.line(print.style('yellow', `${node} was skipped: ${failure}`))
  const { mismatches, nodeDifferences, mismatchCounts, nodeDifferenceCount } = verification
  if (faultOf(verification) === undefined) print.line(print.style('green', 'everything agrees'))
  const total = Object.values(mismatchCounts).reduce((sum, count) => sum + count, 0)
  printSome(print, total, {
    head: ['what', 'token', 'holder', 'stored', 'chain'],
    rows: mismatches.slice(0, mostLines).map((m) => [m.kind, ...placeOf(m), shown(m.stored), shown(m.chain)]),
  })
  printSome(print, nodeDifferenceCount, {
    head: ['node', 'what', 'token', 'holder', 'stored', 'response'],
    rows: nodeDifferences
      .slice(0, mostLines)
      .map((d) => [d.node, d.kind, ...placeOf(d), shown(d.stored), shown(d.says)]),
  })
}

function placeOf({ tokenId, holder }: { tokenId: string | null; holder: string | null }): [string, string] {
  return [shown(tokenId), holder ?? '-']
}

function printSome(print: Print, total: number, table: { head: string[]; rows: string[][] }): void {
  if (total === 0) return
  print.line()
  print.table(table.head, table.rows)
  if (total > table.rows.length) print.line(`… and ${total - table.rows.length} more; --json lists them`)
}

/** Truncates values: ids have 78 digits, texts 300 characters. */
function shown(value: string | null): string {
  if (value === null) return '-'
  return value.length > 60 ? `${value.slice(0, 57)}…` : value
}
