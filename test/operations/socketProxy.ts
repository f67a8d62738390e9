import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { connectServer } from '../connectServer.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

export type SocketProxy = {
  /** The folder of the proxy's socket, which is the `host` of a connection. */
  folder: string
  /** Cuts every connection and takes no more. */
  cut(): void
  /** Takes connections again. */
  mend(): void
}

/** A proxy before a PostgreSQL, itself on a unix socket. */
export async function startSocketProxy(target: pg.ClientConfig): Promise<SocketProxy> {
  const folder = await temporaryFolder()
  const name = `.s.PGSQL.${target.port}`
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) return void client.destroy()
    const upstream = connectServer(target)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(join(folder, name), resolve))
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  return {
    folder,
    cut,
    mend() {
      isCut = false
    },
  }
}
