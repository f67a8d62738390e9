import { describeError, errorCode, MintmarkError, outageOf } from '../errors.ts'
import { isInputFault } from './inputFault.ts'
import { storageFault } from './storageFault.ts'

/** Fields of PostgreSQL's errors that locate an error, without the values of rows. */
const helpful = ['table', 'column', 'constraint', 'hint'] as const

const mostFrames = 15

/**
 * The logged fields of an error: type, message with those of its causes, code and, if it is unexpected, stack frames. All other properties are
 * omitted: drivers attach connections with their keys, and the texts of statements, to their errors.
 */
export function errorFields(error: unknown): Record<string, string> {
  const fields: Record<string, string> = { message: describeError(error) }
  if (!(error instanceof Error)) return fields
  const code = error instanceof MintmarkError ? error.code : errorCode(error)
  const stack = framesOf(error)
  for (const name of helpful) {
    const value = (error as unknown as Record<string, unknown>)[name]
    if (typeof value === 'string' && !(error instanceof MintmarkError)) fields[name] = value
  }
  return {
    type: error.name,
    ...fields,
    ...(code !== undefined && { code }),
    ...(stack !== undefined && { stack }),
  }
}

/** SQLSTATE of transient or retried errors: connections, conflicting transactions, lack of resources, interventions. */
const passingState = /^(?:08|25P03|40|53|55|57)/

/** The stack frames of an unexpected error. undefined for expected ones: our own errors, outages, disks, sockets, servers that answer with a code. */
function framesOf(error: Error): string | undefined {
  if (outageOf(error) !== undefined || storageFault(error) !== undefined) return undefined
  if (!(error instanceof MintmarkError)) return isPassing(error) ? undefined : frames(error)
  // One of our errors has frames only if a programming error is its cause.
  const cause = error.retryable ? undefined : innermost(error)
  return cause !== undefined && isInputFault(cause) ? frames(cause) : undefined
}

function isPassing(error: Error): boolean {
  const code = errorCode(error) ?? errorCode(innermost(error))
  if (code === undefined) return false
  // Node's codes with ERR_ mean an invalid call, which is a programming error.
  return /^[0-9A-Z]{5}$/.test(code) && /\d/.test(code) ? passingState.test(code) : !code.startsWith('ERR_')
}

function innermost(error: Error): Error {
  let found = error
  for (let depth = 0; found.cause instanceof Error && depth < 5; depth++) found = found.cause
  return found
}

function frames({ stack = '' }: Error): string | undefined {
  const lines = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return lines.length === 0 ? undefined : lines.slice(0, mostFrames).join('\n')
}
