import type { AptosChain } from './aptosChain.ts'

type Change = { type: string; address?: string; data?: { type: string; data: unknown } }

/** Only coins are separate resources. All other invented resources belong to the group of an object, which is written and deleted as a whole. */
const isAlone = (type: string) => type.startsWith('0x1::coin::CoinInfo<')

/** A resource at the end of a version, in the state of its last write; undefined if it does not exist. */
export function resourceAt(
  chain: AptosChain,
  { address, type, version }: { address: string; type: string; version: bigint },
): unknown {
  const isThere = (change: Change) => change.address !== undefined && BigInt(change.address) === BigInt(address)
  for (const transaction of chain.transactions.toReversed()) {
    if (transaction.version > version) continue
    const changes = (transaction.rest.changes as Change[]).filter(isThere)
    const written = changes.find((change) => change.data?.type === type)
    if (written) return written.data!.data
    const ofGroup = changes.some((change) => change.data === undefined || !isAlone(change.data.type))
    if (!isAlone(type) && ofGroup) return undefined
  }
  return undefined
}
