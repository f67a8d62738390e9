import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port of loopback that nothing listens on: for a process whose address has to be known before it starts. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
