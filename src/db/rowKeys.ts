import { defineLists, list } from './defineLists.ts'

/** The key of a row of `collection` or `wallet`; tables of what belongs to them begin with it. */
export type RowKey = { partition: number; id: bigint }

/** Such keys as lists of a statement. */
export const rowKeys = defineLists<RowKey>({
  partition: list.int2(({ partition }) => partition),
  id: list.int8(({ id }) => id),
})
