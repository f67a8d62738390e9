/** What is away. Its watcher logs that once, and once when it is back; the other parts that meet it log nothing. */
export type Outage = 'node' | 'database'

/** What an error or one of its causes says to be away; undefined: it has another reason. */
export function outageOf(error: unknown): Outage | undefined {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    const { outage } = e as { outage?: Outage }
    if (outage !== undefined) return outage
  }
  return undefined
}
