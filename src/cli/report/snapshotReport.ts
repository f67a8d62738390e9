import type { WrittenSnapshot } from '../../nft/files/snapshotFacts.ts'
import type { SnapshotVerification } from '../../nft/verify/verifySnapshot.ts'
import type { Print } from './print.ts'

export function printSnapshot(print: Print, path: string, written: WrittenSnapshot): void {
  const { chain, contract, block, blockHash, root, holders } = written
  print.line(`${path}: ${holders} holders of ${contract} on ${chain}`)
  print.line(`block  ${block} (${blockHash})`)
  print.line(`root   ${root ?? 'none, as there are no holders'}`)
}

/** Errors of a snapshot, as a sentence; undefined: all comparisons agree. */
export function snapshotFault({
  root,
  writtenRoot,
  holders,
  writtenHolders,
  mismatchCount,
  unsorted,
  supply,
}: SnapshotVerification): string | undefined {
  const faults: string[] = []
  if (root !== writtenRoot) faults.push(`the root of its rows is ${root}, not ${writtenRoot}: the file was changed`)
  if (holders !== writtenHolders)
    faults.push(`it has ${holders} rows, not ${writtenHolders}: the file or its facts were changed`)
  if (unsorted !== null) faults.push(`row ${unsorted} is not in the order of a snapshot, or is a duplicate`)
  if (mismatchCount > 0) faults.push(`${mismatchCount} rows differ from the chain, or are missing`)
  if (supply !== null) faults.push(`the contract counts ${supply.chain} tokens, the file has ${supply.file}`)
  return faults.length === 0 ? undefined : faults.join('; ')
}

export function printSnapshotVerification(print: Print, path: string, verification: SnapshotVerification): void {
  const { contract, chain, block, blockHash, root, holders, compared, named, nodes, mismatches } = verification
  print.line(`${path}: ${holders} holders of ${contract} on ${chain}, at block ${block} (${blockHash})`)
  print.line(`root ${root ?? 'none, as there are no holders'}`)
  print.line(`compared ${compared} of them with ${nodes.join(' and ')}`)
  print.line(
    named === null
      ? 'missing holders were not searched'
      : `searched for missing holders in the contract's logs: ${named} other addresses were checked`,
  )
  if (snapshotFault(verification) === undefined) print.line(print.style('green', 'everything agrees'))
  if (mismatches.length > 0)
    print.table(
      ['token', 'owner', 'in the file', 'on the chain'],
      mismatches.map(({ tokenId, owner, file, chain }) => [tokenId, owner, file ?? '-', chain ?? '-']),
    )
}
