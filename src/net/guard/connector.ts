import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { skipInterim } from '../../util/http/skipInterim.ts'
import type { Log } from '../../util/log.ts'
import { AddressBlockedError } from '../outboundError.ts'
import { type AllowedNetworks, blockedReason } from './address.ts'
import type { Resolve } from './resolver.ts'

export type ConnectorOptions = {
  allow: AllowedNetworks
  resolve: Resolve
  /** For the lookup, the connection and the TLS handshake together, in milliseconds. */
  timeoutMs: number
  log?: Log
}

/**
 * Opens the sockets of the guarded client. The address is checked when it is used: the result of one lookup is both checked and connected to, so no
 * second lookup can return another one. A literal address is never looked up and is checked before. Nothing else opens connections, so redirects and
 * new connections are checked here as well.
 */
export function createConnector(options: ConnectorOptions): buildConnector.connector {
  const { allow, resolve, timeoutMs, log } = options

  const reject = (host: string, address: string, reason: string) => {
    log?.debug({ host, address, reason }, 'outbound address blocked')
    return new AddressBlockedError({ host, address, reason })
  }

  const lookup: LookupFunction = (hostname, { all }, callback) => {
    resolve(hostname).then(
      (found) => {
        const open = found.filter(({ address }) => blockedReason(address, allow) === undefined)
        if (open.length === 0) {
          const address = found[0]?.address
          if (address === undefined) return callback(new NoAddressError(hostname), '')
          return callback(reject(hostname, address, blockedReason(address, allow) ?? ''), '')
        }
        // IPv4 first: without working IPv6, as in many containers, the first attempt then succeeds.
        open.sort((a, b) => a.family - b.family)
        if (all) callback(null, open)
        else callback(null, open[0]!.address, open[0]!.family)
      },
      (cause) => callback(cause, ''),
    )
  }

  const connect = skipInterim(
    buildConnector({
      lookup,
      timeout: timeoutMs,
      allowH2: false,
      maxCachedSessions: 1_000,
      autoSelectFamily: true,
      // Node's default of 250 ms is too short for very distant hosts.
      autoSelectFamilyAttemptTimeout: 1_000,
    } as buildConnector.BuildOptions),
  )

  return (target, callback) => {
    if (isIP(target.hostname) !== 0) {
      const reason = blockedReason(target.hostname, allow)
      if (reason) {
        const error = reject(target.host ?? target.hostname, target.hostname, reason)
        return queueMicrotask(() => callback(error, null))
      }
    }
    connect(target, (...[error, socket]) => {
      if (error) return callback(error, null)
      // The actual address of the socket is decisive.
      const address = socket.remoteAddress
      const reason = address === undefined ? undefined : blockedReason(address, allow)
      if (address === undefined || !reason) return callback(null, socket)
      socket.destroy()
      callback(reject(target.hostname, address, reason), null)
    })
  }
}

/** The name exists but has no address; the code is that of node:dns. */
class NoAddressError extends Error {
  readonly code = 'ENODATA'

  constructor(hostname: string) {
    super(`${hostname} has no address`)
  }
}
