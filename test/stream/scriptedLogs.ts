import type { ScriptedStreams } from './scriptedStreams.ts'
import { mintBlocks, type Span } from './scriptedTruth.ts'

/** Logs in the confirmed webhooks of a stream, without retracted ones. */
export async function reportedLogs(t: ScriptedStreams, id: string): Promise<string[]> {
  const rows = await t.db.rows<[string]>(
    `SELECT body FROM webhook JOIN webhook_body USING (partition, position)
     WHERE stream_id = $1 AND kind = 'confirmed' AND NOT retracted`,
    [id],
  )
  return rows
    .flatMap(([body]) => {
      const { block, logs } = JSON.parse(body) as { block: { hash: string }; logs: { logIndex: string }[] }
      return logs.map(({ logIndex }) => `${block.hash} ${Number(logIndex)}`)
    })
    .sort()
}

/** Logs of the chain that contain one of the accounts, in blocks from `from` to `to`. */
export function logsOf(
  { chain }: ScriptedStreams,
  accounts: readonly number[],
  from: bigint,
  to = chain.head(),
): string[] {
  const own = chain.logs().filter(({ blockNumber, topics }) => {
    const number = BigInt(blockNumber)
    return number >= from && number <= to && topics.slice(1).some((topic) => accounts.includes(Number(topic)))
  })
  return own.map(({ blockHash, logIndex }) => `${blockHash} ${Number(logIndex)}`).sort()
}

/** Logs of the chain that contain an account in the blocks in which it is watched. */
export function logsWithin({ chain }: ScriptedStreams, spans: readonly Span[]): string[] {
  const own = chain.logs().filter(({ blockNumber, topics }) => {
    const number = BigInt(blockNumber)
    const accounts = topics.slice(1).map(Number)
    return spans.some((s) => accounts.includes(s.account) && number >= s.from && (s.to === undefined || number < s.to))
  })
  return own.map(({ blockHash, logIndex }) => `${blockHash} ${Number(logIndex)}`).sort()
}

/** Finalizes and confirms every block so far. */
export function becomeFinal({ chain }: ScriptedStreams): void {
  for (let i = 0; i < 12; i++) chain.add([])
}

/** Continues until every block is final, confirmed and read. */
export async function end(t: ScriptedStreams): Promise<void> {
  becomeFinal(t)
  for (let remaining = 1n; remaining > 0n; ) {
    await t.settle()
    await t.history()
    remaining = (await t.db.rows<[bigint]>('SELECT count(*) FROM stream_addition'))[0]![0]
  }
}

/** Adds blocks with transfers between accounts, so that a log contains two of them. */
export function transferBlocks(t: ScriptedStreams): void {
  mintBlocks(t, 4)
  t.chain.add([
    { token: 1, from: 2, to: 3 },
    { token: 2, from: 3, to: 1 },
  ])
  t.chain.add([{ token: 3, from: 1, to: 2 }])
  mintBlocks(t, 4)
}
