import { AptosAnswerError } from './aptosError.ts'
import { type RestClient, RestNotFoundError } from './restClient.ts'
import type { AptosWrite } from './source.ts'

/** A resource's state at the end of a version; undefined if it does not exist then. Throws an AptosError. */
export async function readResource(
  client: RestClient,
  { address, type, version }: { address: string; type: string; version: bigint },
  signal: AbortSignal,
): Promise<AptosWrite | undefined> {
  const path = `/accounts/${address}/resource/${encodeURIComponent(type)}?ledger_version=${version}`
  try {
    const { body } = await client.get(path, signal)
    if (typeof body !== 'object' || body === null || !('data' in body))
      throw new AptosAnswerError('a resource came without its data')
    return { address, type, data: body.data }
  } catch (error) {
    const isAbsent = error instanceof RestNotFoundError && /^(resource|account)_not_found$/.test(error.errorCode ?? '')
    if (isAbsent) return undefined
    throw error
  }
}
