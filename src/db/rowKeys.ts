import { defineLists, list } from './defineLists.ts'

/** The key of a row of `collection` or `wallet`; keys of their dependent tables begin with it. */
export type RowKey = { partition: number; id: bigint }

/** Such keys as list parameters of a statement. */
export const rowKeys = defineLists<RowKey>({
  partition: list.int2(({ partition }) => partition),
  id: list.int8(({ id }) => id),
})
