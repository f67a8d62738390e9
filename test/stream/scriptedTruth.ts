import { expect } from 'vitest'
import { confirmations, receivedBlocks, type ScriptedStreams } from './scriptedStreams.ts'

const never = new AbortController().signal

/** Blocks in which a stream watches an account. */
export type Span = { account: number; from: bigint; to: bigint | undefined }

/** Blocks that a stream skips. */
export type Skipped = { from: bigint; to: bigint }

/** Hashes of the blocks in which a stream matches something. With `spans` undefined, it watches every account. */
function truth(
  { chain }: ScriptedStreams,
  wanted: { spans: readonly Span[] | undefined; from: bigint; skipped: readonly Skipped[] },
  upTo: bigint,
): string[] {
  const { spans, from, skipped } = wanted
  const own = chain.logs().filter(({ blockNumber, topics }) => {
    const number = BigInt(blockNumber)
    if (number > upTo || number < from || skipped.some((s) => number >= s.from && number < s.to)) return false
    // Token ids are indexed, too: the id of token 1 looks like account 1.
    const accounts = topics.slice(1).map(Number)
    return (
      !spans ||
      spans.some((s) => accounts.includes(s.account) && number >= s.from && (s.to === undefined || number < s.to))
    )
  })
  return [...new Set(own.map(({ blockHash }) => blockHash.slice(2)))]
}

/** Expects that a receiver of all webhooks in order has exactly the result of matching all blocks in order. */
export async function expectTruth(
  t: ScriptedStreams,
  id: string,
  spans?: readonly Span[],
  { from = 0n, skipped = [] }: { from?: bigint; skipped?: readonly Skipped[] } = {},
): Promise<void> {
  const head = t.chain.head()
  const wanted = { spans, from, skipped }
  expect(await receivedBlocks(t.db, id)).toEqual({
    reported: truth(t, wanted, head),
    confirmed: truth(t, wanted, head - BigInt(confirmations)),
  })
}

export const mint = (token: number) => [{ token, from: 0, to: 1 + (token % 3) }]

export function mintBlocks({ chain }: ScriptedStreams, count: number): void {
  for (let i = 0; i < count; i++) chain.add(mint(Number(chain.head())))
}

export async function stepAll({ follower }: ScriptedStreams): Promise<void> {
  while ((await follower.step(never)) === 'moved');
}
