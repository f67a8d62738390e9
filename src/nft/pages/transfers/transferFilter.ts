import { hexToBuffer } from '../../../util/hex.ts'
import type { TransferFilter } from '../../transferQuery.ts'
import { byErc1155, movedSome } from '../../transfers/transfer.ts'

/** SQL condition: a filter selects transfer `row`. `first`: number of the first of its parameters, which `filterValues` returns. */
export function selectedBy(first: number, row: string): string {
  const [from, to, isErc1155, excludeZero] = [0, 1, 2, 3].map((n) => `$${first + n}`)
  return [
    `(${from}::bytea IS NULL OR ${row}.from_address = ${from}::bytea)`,
    `(${to}::bytea IS NULL OR ${row}.to_address = ${to}::bytea)`,
    `(${isErc1155}::bool IS NULL OR (${byErc1155(row)}) = ${isErc1155}::bool)`,
    `(NOT ${excludeZero}::bool OR ${movedSome(row)})`,
  ].join(' AND ')
}

export function filterValues({ from, to, standard, excludeZeroValue }: TransferFilter): unknown[] {
  return [from && hexToBuffer(from), to && hexToBuffer(to), standard && standard === 'ERC1155', excludeZeroValue]
}
