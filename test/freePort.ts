import { once } from 'node:events'
import { createServer } from 'node:net'

/** A free port of loopback, for a process whose address must be known before it starts. */
export function freePort(): Promise<number> {
  return freePorts(1)
}

/**
 * The first of `count` consecutive free ports. They are below the range of outgoing connections and of servers without a given port,
 * so they stay free for a process that starts later or restarts.
 */
export async function freePorts(count: number): Promise<number> {
  for (;;) {
    const first = 20_000 + Math.floor(Math.random() * 12_000)
    const ports = Array.from({ length: count }, (_, i) => first + i)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
