import { type ServiceError, status } from '@grpc/grpc-js'
import type { Mask } from '../../util/urls/secrets.ts'
import {
  AptosAbsentError,
  type AptosError,
  AptosRateLimitedError,
  AptosRejectedError,
  AptosUnavailableError,
} from './aptosError.ts'

/** The error for the end of a stream, by its gRPC status. `mask` hides the token in the server's message, which may repeat it. */
export function grpcError(target: string, error: unknown, mask: Mask): AptosError {
  const { code, details, message } = error as Partial<ServiceError>
  const text = `${target}: ${mask(details || message || 'the stream broke')}`
  const options = { cause: error }
  switch (code) {
    case status.UNAUTHENTICATED:
    case status.PERMISSION_DENIED:
    case status.UNIMPLEMENTED:
      return new AptosRejectedError(text, options)
    case status.RESOURCE_EXHAUSTED:
      return new AptosRateLimitedError(text, { ...options, retryAfterMs: undefined })
    case status.OUT_OF_RANGE:
    case status.NOT_FOUND:
    case status.INVALID_ARGUMENT:
      return new AptosAbsentError(text, { ...options, isPastHead: false })
    // A data service rejects a version far past its head with this status, and a pruned one with NOT_FOUND.
    case status.FAILED_PRECONDITION:
      return new AptosAbsentError(text, { ...options, isPastHead: true })
    default:
      return new AptosUnavailableError(text, options)
  }
}
