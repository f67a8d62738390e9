import { isProgramFault } from '../util/programFault.ts'
import { sqlState } from './database.ts'

/**
 * True where the database refuses rows for what they hold: data that it cannot store (class 22 of SQLSTATE), that breaks a
 * constraint (23), or that is larger than it takes (54). The same rows are refused again.
 */
export function isRowFault(error: unknown): boolean {
  return /^(22|23|54)/.test(sqlState(error) ?? '')
}

/** True for faults that the same input brings about again: whoever tries for ever does nothing else any more. */
export function isInputFault(error: unknown): boolean {
  return isProgramFault(error) || isRowFault(error)
}
