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
  /** Cuts every connection, and takes those that follow without an answer. */
  hang(): void
  /** Passes nothing on until fixed, as of a server that is frozen: of old connections and of new ones. */
  freeze(): void
  /** How many connections wait for an answer. */
  waiting(): number
  /** Takes connections again. */
  mend(): void
}

/** A proxy before a PostgreSQL, itself on a unix socket. */
export async function startSocketProxy(target: pg.ClientConfig): Promise<SocketProxy> {
  const folder = await temporaryFolder()
  const name = `.s.PGSQL.${target.port}`
  const sockets = new Set<Socket>()
  let isCut = false
  let hangs = false
  let isFrozen = false
  const hanging = new Set<Socket>()
  const server = createServer((client) => {
    if (hangs) {
      hanging.add(client)
      return void client
        .on('error', () => undefined)
        .on('close', () => hanging.delete(client))
        .resume()
    }
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
      if (isFrozen) socket.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(join(folder, name), resolve))
  const cut = () => {
    isCut = true
    hangs = false
    for (const socket of [...sockets, ...hanging]) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  return {
    folder,
    cut,
    hang() {
      cut()
      hangs = true
    },
    waiting: () => hanging.size,
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    mend() {
      isCut = false
      hangs = false
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
  }
}
