import { createServer } from 'node:net'
import { MintmarkError } from '../errors.ts'

/** The address is in use, not of this machine, or not allowed for this user. */
export class ListenError extends MintmarkError {
  readonly code = 'LISTEN'

  static of(
    { host, port }: { host: string; port: number },
    { code = '', message }: NodeJS.ErrnoException,
  ): ListenError {
    return new ListenError(`cannot listen on ${host}:${port}: ${reasons[code] ?? message}`)
  }
}

const otherHost = 'choose 127.0.0.1, 0.0.0.0 or an address of this machine with --host (host)'

/** Reason and remedy, by the system's error code. */
const reasons: Record<string, string> = {
  EADDRINUSE: 'the port is taken: stop the program that listens there, or choose another port with --port (port)',
  EACCES: 'this user may not listen on that port: choose one from 1024 on with --port (port)',
  EADDRNOTAVAIL: `this machine does not have that address: ${otherHost}`,
  ENOTFOUND: `no host of that name is known: ${otherHost}`,
  EAI_AGAIN: `the name of the host cannot be looked up: ${otherHost}`,
}

/**
 * Throws ListenError if the address is not available. Commands that listen late call it before slow or irreversible
 * work. Port 0 is always available.
 */
export async function checkPort(address: { host: string; port: number }): Promise<void> {
  const server = createServer()
  await new Promise<void>((free, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(ListenError.of(address, cause)))
    server.listen(address.port, address.host, () => server.close(() => free()))
  })
}
