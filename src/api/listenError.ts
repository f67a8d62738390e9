import { MintmarkError } from '../errors.ts'

/** The address to listen on is taken or not ours. */
export class ListenError extends MintmarkError {
  readonly code = 'LISTEN'

  static of({ host, port }: { host: string; port: number }, cause: NodeJS.ErrnoException): ListenError {
    const why = cause.code === 'EADDRINUSE' ? 'the port is taken' : cause.message
    return new ListenError(`cannot listen on ${host}:${port}: ${why}`, { cause })
  }
}
