import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Accepts connections in place of PostgreSQL until the test ends.
 * `join` receives each connection with its first message, and adds the connections that it opens itself to `open`.
 */
export async function listenBefore(
  join: (client: Socket, startup: Buffer, open: Set<Socket>) => void,
): Promise<{ port: number }> {
  const open = new Set<Socket>()
  const server = createServer((client) => {
    open.add(client)
    client.on('error', () => undefined)
    client.once('data', (startup: Buffer) => join(client, startup, open))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port }
}
