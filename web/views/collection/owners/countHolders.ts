/** How many tokens and units an address holds. */
export type Holding = { owner: string; tokens: number; amount: bigint }

export type Distribution = {
  holders: number
  /** Units of all tokens; of an ERC-721 its tokens. */
  amount: bigint
  /** Holders with the most units, most first. */
  largest: readonly Holding[]
  /** How many addresses hold from `from` to `to` units; null: no limit. */
  groups: readonly { from: number; to: number | null; holders: number }[]
}

const bounds = [1, 2, 6, 21, 101, 1_001]
const mostLargest = 20

/** Sums a streamed snapshot in CSV, `token_id,owner_of,amount`. */
export async function countHolders(lines: AsyncIterable<string>): Promise<Distribution> {
  const holdings = new Map<string, Holding>()
  let amount = 0n
  for await (const line of lines) {
    const [, owner, units] = line.split(',')
    if (owner === undefined || units === undefined || !owner.startsWith('0x')) continue
    const held = BigInt(units)
    const holding = holdings.get(owner)
    amount += held
    if (holding) {
      holding.tokens++
      holding.amount += held
    } else holdings.set(owner, { owner, tokens: 1, amount: held })
  }
  const all = [...holdings.values()].sort(byAmount)
  return {
    holders: all.length,
    amount,
    largest: all.slice(0, mostLargest),
    groups: bounds.map((from, i) => {
      const next = bounds[i + 1]
      const within = all.filter(({ amount: own }) => own >= from && (next === undefined || own < next))
      return { from, to: next === undefined ? null : next - 1, holders: within.length }
    }),
  }
}

function byAmount(a: Holding, b: Holding): number {
  if (a.amount !== b.amount) return a.amount < b.amount ? 1 : -1
  return a.owner < b.owner ? -1 : 1
}

/** A share from 0 to 1 of counts of any size. */
export function shareOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 1_000_000n) / whole) / 1_000_000
}
