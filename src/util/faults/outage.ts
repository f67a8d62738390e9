/** A node, the database or its read replica is away. Its watcher logs that once, and once that it is back; other parts that meet the outage log nothing. */
export type Outage = 'node' | 'database' | 'replica'

/** The outage that an error or one of its causes is about; undefined: the error has another reason. */
export function outageOf(error: unknown): Outage | undefined {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    const { outage } = e as { outage?: Outage }
    if (outage !== undefined) return outage
  }
  return undefined
}
