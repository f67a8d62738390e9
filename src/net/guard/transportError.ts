import { MintmarkError } from '../../util/errors.ts'
import {
  BadAnswerError,
  HostBusyError,
  HostUnavailableError,
  TimeoutError,
  type TimeoutPhase,
  TooLargeError,
  type UnavailableKind,
} from '../outboundError.ts'
import { maxHeaderBytes } from './pools.ts'

const kinds: Record<string, UnavailableKind> = {
  ENOTFOUND: 'dns',
  ENODATA: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ESERVFAIL: 'dns',
  EREFUSED: 'dns',
  ETIMEOUT: 'dns',
  EBADNAME: 'dns',
  EBADRESP: 'dns',
  EFORMERR: 'dns',
  ENOTIMP: 'dns',
  ECANCELLED: 'dns',
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ECONNABORTED: 'reset',
  UND_ERR_SOCKET: 'reset',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENETDOWN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  EINVAL: 'unreachable',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  UNABLE_TO_GET_ISSUER_CERT: 'tls',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls',
  HOSTNAME_MISMATCH: 'tls',
  INVALID_PURPOSE: 'tls',
}

const phases: Record<string, TimeoutPhase> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  ETIMEDOUT: 'connect',
}

/** Current time limits, in milliseconds, so that the error can name the exceeded one. */
export type Limits = Record<TimeoutPhase, number>

/** Converts an error of undici, sockets, TLS or decoders to one of ours, by its code. */
export function transportError(cause: unknown, host: string, limits: Limits): Error {
  if (cause instanceof MintmarkError) return cause
  const code = codeOf(cause)
  // The client is being closed, which shows nothing about the host.
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED')
    return new HostBusyError({ host, retryAfterMs: 0, detail: 'gets no more requests: closing' })
  const phase = phases[code]
  if (phase) return new TimeoutError({ host, phase, ms: limits[phase], cause })
  const kind = kinds[code] ?? (/^(ERR_TLS_|ERR_SSL_|CERT_|CRL_)/.test(code) ? 'tls' : undefined)
  if (kind) return new HostUnavailableError({ host, kind, cause })
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return new TooLargeError({ host, what: 'headers', limit: maxHeaderBytes, cause })
  if (code.startsWith('HPE_')) return new BadAnswerError({ host, detail: 'something that is not HTTP', cause })
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH')
    return new BadAnswerError({ host, detail: 'with another length than declared', cause })
  if (/^(Z_|ERR_PADDING|ERR__|ERR_BROTLI|ERR_ZSTD|ZSTD_|ERR_DECODER)/.test(code))
    return new BadAnswerError({ host, detail: 'with a body that is not encoded as declared', cause })
  return new BadAnswerError({ host, detail: 'in a way that cannot be read', cause })
}

/** The code of an error; of the first of several if every address of a host failed. */
function codeOf(cause: unknown): string {
  const { code, errors } = (cause ?? {}) as { code?: unknown; errors?: { code?: unknown }[] }
  const found = code ?? errors?.[0]?.code
  return typeof found === 'string' ? found : ''
}
