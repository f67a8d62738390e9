import { isIP } from 'node:net'
import { createMetrics, type Metrics } from '../src/metrics/metrics.ts'
import type { GuardedClient } from '../src/net/client.ts'
import { createGuardedClient } from '../src/net/guard/createGuardedClient.ts'
import type { GuardedSettings } from '../src/net/guard/outboundSettings.ts'
import type { Resolve } from '../src/net/guard/resolver.ts'

/** A guarded client that may reach 127.0.0.1 and no other loopback address. Its timeouts suit a busy machine. */
export function guardedClient(
  settings: Partial<GuardedSettings> = {},
  resolve?: Resolve,
): GuardedClient & { metrics: Metrics; [Symbol.asyncDispose](): Promise<void> } {
  const metrics = createMetrics()
  const client = createGuardedClient({
    settings: { allow: ['127.0.0.1'], timeoutMs: 40_000, idleTimeoutMs: 30_000, maxBytes: 2_000_000, ...settings },
    metrics,
    ...(resolve && { resolve }),
  })
  return { ...client, metrics, [Symbol.asyncDispose]: () => client.close() }
}

/** Resolves names to these addresses, as DNS does. */
export function names(zone: Record<string, readonly string[]>): Resolve {
  return async (name) => (zone[name] ?? []).map((address) => ({ address, family: isIP(address) }))
}

/** The error with which `work` rejects, for tests that check several of its fields. */
export async function rejection(work: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  return work.then(
    () => {
      throw new Error('it did not fail')
    },
    (error: Error & Record<string, unknown>) => error,
  )
}
