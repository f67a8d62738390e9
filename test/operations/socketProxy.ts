import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import { onTestFinished } from 'vitest'
import { connectServer } from '../connectServer.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

export type SocketProxy = {
  /** The folder of the proxy's socket, for the `host` of a connection. */
  folder: string
  /** Cuts every connection and takes no more. */
  cut(): void
  /** Cuts every connection, and accepts later ones without responding. */
  hang(): void
  /** Forwards nothing on old and new connections until `mend`, like a frozen server. */
  freeze(): void
  /** How many connections wait for a response. */
  waiting(): number
  /** Accepts connections again. */
  mend(): void
}

/** A proxy in front of PostgreSQL that listens on a Unix socket. */
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
