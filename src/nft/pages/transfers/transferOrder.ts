import { defineByteColumns } from '../../../db/pipeline/byteColumns.ts'
import type { TransferOrder } from '../../transferQuery.ts'

/** SQL that depends on the order. */
export const inOrder = {
  ASC: { direction: 'ASC', beyond: '>', back: '<=' },
  DESC: { direction: 'DESC', beyond: '<', back: '>=' },
} as const

export const inPlace = (row: string, order: TransferOrder) =>
  `ORDER BY ${row}.position ${inOrder[order].direction}, ${row}.item ${inOrder[order].direction}`

/** Condition: within the range of a page. */
export const behind = (row: string, order: TransferOrder) =>
  `(${row}.position, ${row}.item) ${inOrder[order].beyond} ($1::int8, $2::int4) AND ${row}.position ${inOrder[order].back} $3::int8`

/**
 * The columns of a page's row:
 *
 * - transfers: their bytes (`transferBytes`), in the order of the page; but for a wallet one more than the limit where more follow
 * - end: of a wallet the place after which the next page begins, a text of position and item; NULL: there is none
 * - version: of a contract and of a token, that of the collection at the same moment
 */
export const transferPageColumns = defineByteColumns(['transfers', 'end', 'version'])
