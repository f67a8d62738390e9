import { AptosAnswerError } from './aptosError.ts'
import {
  type AptosLedger,
  type AptosTransaction,
  type AptosWrite,
  maxTimestampMicros,
  maxVersion,
  type ResourcePrefix,
} from './source.ts'

/** What `GET /v1` tells. Throws AptosAnswerError. */
export function parseLedger(body: unknown): AptosLedger & { oldest: bigint } {
  const { chain_id, ledger_version, oldest_ledger_version } = fieldsOf(body)
  if (typeof chain_id !== 'number' || !Number.isInteger(chain_id)) throw new AptosAnswerError('chain_id is no number')
  return { chainId: chain_id, head: digits(ledger_version), oldest: digits(oldest_ledger_version ?? '0') }
}

/** Transactions of `GET /v1/transactions`, which have to begin at `from` and leave none out. Throws AptosAnswerError. */
export function parseTransactions(
  body: unknown,
  from: bigint,
  resource: ResourcePrefix,
): { to: bigint; transactions: AptosTransaction[] } {
  if (!Array.isArray(body)) throw new AptosAnswerError('the transactions are no list')
  const transactions: AptosTransaction[] = []
  let next = from
  for (const item of body) {
    const version = digits(fieldsOf(item).version)
    if (version !== next) throw new AptosAnswerError(`version ${version} came where ${next} is the next`)
    next += 1n
    const transaction = parseRestTransaction(item, resource)
    if (transaction.writes.length > 0) transactions.push(transaction)
  }
  return { to: next - 1n, transactions }
}

/** One transaction. Genesis repeats its changes in its payload, from which nothing is taken. */
export function parseRestTransaction(item: unknown, resource: ResourcePrefix): AptosTransaction {
  const { version, type, success, timestamp, changes } = fieldsOf(item)
  const kind = type === 'user_transaction' ? 'user' : type === 'genesis_transaction' ? 'genesis' : 'other'
  return {
    version: digits(version),
    kind,
    success: success === true,
    timestampMicros: kind === 'genesis' || timestamp === undefined ? 0n : digits(timestamp, maxTimestampMicros),
    writes: Array.isArray(changes) ? changes.flatMap((change) => parseChange(change, resource)) : [],
  }
}

function parseChange(change: unknown, resource: ResourcePrefix): AptosWrite[] {
  const { type, data } = fieldsOf(change)
  if (type !== 'write_resource') return []
  const write = fieldsOf(data)
  if (typeof write.type !== 'string' || !write.type.startsWith(resource)) return []
  return [{ type: write.type, data: write.data }]
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** A number in digits, as these nodes write all of them; undefined where it is none, or more than `most`. */
export function readDigits(value: unknown, most = maxVersion): bigint | undefined {
  const number = typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : undefined
  return number !== undefined && number <= most ? number : undefined
}

function digits(value: unknown, most = maxVersion): bigint {
  const number = readDigits(value, most)
  if (number !== undefined) return number
  const shown = JSON.stringify(value)?.slice(0, 100)
  throw new AptosAnswerError(`${shown} stands where a number of at most ${most} in digits belongs`)
}
