import { AptosAnswerError } from './aptosError.ts'
import {
  type AptosLedger,
  type AptosTableItem,
  type AptosTransaction,
  type AptosWrite,
  maxTimestampMicros,
  maxVersion,
  type WantedChanges,
} from './source.ts'
import { parseU128 } from './u128.ts'

/** Parses the response of `GET /v1`. Throws AptosAnswerError. */
export function parseLedger(body: unknown): AptosLedger & { oldest: bigint } {
  const { chain_id, ledger_version, oldest_ledger_version } = fieldsOf(body)
  if (typeof chain_id !== 'number' || !Number.isInteger(chain_id))
    throw new AptosAnswerError('chain_id is not a number')
  return { chainId: chain_id, head: digits(ledger_version), oldest: digits(oldest_ledger_version ?? '0') }
}

/** Transactions of `GET /v1/transactions`, which must begin at `from` without gaps. Throws AptosAnswerError. */
export function parseTransactions(
  body: unknown,
  from: bigint,
  wanted: WantedChanges,
): { to: bigint; transactions: AptosTransaction[] } {
  if (!Array.isArray(body)) throw new AptosAnswerError('the transactions are not a list')
  const transactions: AptosTransaction[] = []
  let next = from
  for (const item of body) {
    const version = digits(fieldsOf(item).version)
    if (version !== next) throw new AptosAnswerError(`version ${version} came where ${next} is the next`)
    next += 1n
    const transaction = parseRestTransaction(item, wanted)
    const { writes, deleted, items } = transaction
    if (writes.length > 0 || deleted.length > 0 || items.length > 0) transactions.push(transaction)
  }
  return { to: next - 1n, transactions }
}

/**
 * One transaction. Genesis repeats its changes in its payload, which is ignored. A transaction without a required field is rejected: its coins would
 * be lost. Transactions and changes of an unknown type are accepted. Throws AptosAnswerError.
 */
export function parseRestTransaction(item: unknown, wanted: WantedChanges): AptosTransaction {
  const { version, type, success, timestamp, changes } = fieldsOf(item)
  textOf(type, 'type of a transaction')
  if (typeof success !== 'boolean') throw new AptosAnswerError('success of a transaction is not a boolean')
  if (!Array.isArray(changes)) throw new AptosAnswerError('changes of a transaction are not a list')
  const kind = type === 'user_transaction' ? 'user' : type === 'genesis_transaction' ? 'genesis' : 'other'
  const isTimeless = kind === 'genesis' || (kind === 'other' && timestamp === undefined)
  return {
    version: digits(version),
    kind,
    success,
    timestampMicros: isTimeless ? 0n : digits(textOf(timestamp, 'timestamp of a transaction'), maxTimestampMicros),
    ...parseChanges(changes, wanted),
  }
}

function parseChanges(
  changes: readonly unknown[],
  wanted: WantedChanges,
): Pick<AptosTransaction, 'writes' | 'deleted' | 'items'> {
  const writes: AptosWrite[] = []
  const beside: AptosWrite[] = []
  const deleted: string[] = []
  const items: AptosTableItem[] = []
  for (const change of changes) {
    const { type: kind, address, resource, data, handle, key, value } = fieldsOf(change)
    textOf(kind, 'type of a change')
    if (kind === 'write_resource') {
      const { type: resourceType, data: written } = fieldsOf(data)
      const type = textOf(resourceType, 'type of a written resource')
      const isWanted = wanted.resources.some((prefix) => type.startsWith(prefix))
      if (!isWanted && type !== wanted.beside) continue
      if (written === undefined || written === null) throw new AptosAnswerError('a resource was written without data')
      const write = { address: textOf(address, 'address of a written resource'), type, data: written }
      if (isWanted) writes.push(write)
      else beside.push(write)
    } else if (kind === 'delete_resource') {
      const isDeleted = textOf(resource, 'type of a deleted resource') === wanted.deleted
      if (isDeleted) deleted.push(textOf(address, 'address of a deleted resource'))
    } else if (kind === 'write_table_item' && textOf(handle, 'table of an item') === wanted.table) {
      items.push({ handle: wanted.table, key: textOf(key, 'key of an item'), value: tableValue(data, value) })
    }
  }
  for (const write of beside) if (writes.some(({ address }) => address === write.address)) writes.push(write)
  return { writes, deleted, items }
}

/** The value as the node decoded it; otherwise from its BCS bytes, as a node without a table index does not decode it. */
function tableValue(data: unknown, bytes: unknown): bigint | undefined {
  const { value, value_type: type } = fieldsOf(data)
  if (type !== undefined) return type === 'u128' ? parseU128(value) : undefined
  const hex = /^0x([0-9a-f]{32})$/.exec(textOf(bytes, 'value of an item'))?.[1]
  return hex === undefined ? undefined : BigInt(`0x${Buffer.from(hex, 'hex').reverse().toString('hex')}`)
}

function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string' || value === '') throw new AptosAnswerError(`${what} is not a text`)
  return value
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** A number in decimal digits, as these nodes write all numbers; undefined if it is invalid or more than `most`. */
export function readDigits(value: unknown, most = maxVersion): bigint | undefined {
  const number = typeof value === 'string' && /^\d{1,20}$/.test(value) ? BigInt(value) : undefined
  return number !== undefined && number <= most ? number : undefined
}

function digits(value: unknown, most = maxVersion): bigint {
  const number = readDigits(value, most)
  if (number !== undefined) return number
  const shown = JSON.stringify(value)?.slice(0, 100)
  throw new AptosAnswerError(`${shown} is not a number of at most ${most} in digits`)
}
