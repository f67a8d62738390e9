const messages: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  ECONNABORTED: 'connection closed',
  EPIPE: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'host name not looked up',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  CERT_HAS_EXPIRED: 'expired certificate',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'untrusted certificate',
  SELF_SIGNED_CERT_IN_CHAIN: 'untrusted certificate',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'untrusted certificate',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'untrusted certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate of another host',
}

/** A readable text for a code of a socket, of TLS or of undici; any other code unchanged. */
export function connectionMessages(code: string): string {
  if (code.startsWith('ERR_SSL_') || code === 'EPROTO') return 'no TLS'
  if (code.startsWith('HPE_')) return 'no HTTP'
  return messages[code] ?? code
}
