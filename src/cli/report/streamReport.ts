import type { StreamRecord } from '../../stream/demand.ts'
import { hidden } from '../../util/urls/secretsOfUrl.ts'

/** The stream with its secret masked: terminals never show the secret, `GET /streams/evm/{id}` does. */
export function withoutSecret(stream: StreamRecord): StreamRecord {
  return { ...stream, webhookSecret: hidden }
}

/** Status of a stream, in one line. */
export function describeStream({ id, status, statusMessage }: StreamRecord): string {
  return `stream ${id}: ${status}${statusMessage === '' ? '' : ` (${statusMessage})`}`
}

/** The chains of a stream by name. */
export function chainsOf({ chainIds }: StreamRecord, nameOf: (chainId: bigint) => string): string {
  return chainIds.map((id) => nameOf(BigInt(id))).join(', ')
}

/** How many addresses a stream watches. */
export function watched({ allAddresses, amountOfAddresses }: StreamRecord): string {
  return allAddresses ? 'all' : String(amountOfAddresses)
}
