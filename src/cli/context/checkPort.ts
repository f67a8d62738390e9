import { createServer } from 'node:net'
import { ListenError } from '../../api/http/listenError.ts'

/**
 * Throws ListenError where nothing can listen on the address: asked by commands that listen late, before they do anything that
 * takes time or would have to be undone. Port 0 is always free.
 */
export async function checkPort(address: { host: string; port: number }): Promise<void> {
  const server = createServer()
  await new Promise<void>((free, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(ListenError.of(address, cause)))
    server.listen(address.port, address.host, () => server.close(() => free()))
  })
}
