import type { Database, Sql } from '../../../db/database.ts'
import { column, defineRow } from '../../../db/defineRow.ts'
import { partitionOf } from '../../../sync/partition.ts'
import { bufferToHex, hexToBuffer } from '../../../util/hex.ts'
import type { TransferQuery } from '../../transferQuery.ts'
import { requestKnown } from '../wallets/requestKnown.ts'
import { isUnnamed } from '../wallets/wholeHoldings.ts'

const symbolRow = defineRow({
  address: column.bytea('c.address').map(bufferToHex),
  symbol: column.text('c.symbol').orNull(),
  /** Its names were not requested yet, as in pages of wallets. */
  isUnnamed: column.bool(isUnnamed),
})

const selectSymbols = `
SELECT ${symbolRow.columns} FROM unnest($2::int2[], $3::bytea[]) AS a (partition, address)
JOIN collection c ON c.partition = a.partition AND c.chain_id = $1 AND c.address = a.address
WHERE c.partition = ANY($2::int2[])`

/** `primary`: requests names, if `reader` is of a replica. */
export function createKnownSymbols({
  reader,
  primary,
}: {
  reader: Pick<Sql, 'rows'>
  primary: Database
}): TransferQuery['knownSymbols'] {
  return async (chainId, contracts) => {
    if (contracts.length === 0) return new Map()
    const partitions = contracts.map(({ address }) => partitionOf(chainId, address))
    const addresses = contracts.map(({ address }) => hexToBuffer(address))
    const rows = (await reader.rows(selectSymbols, [chainId, partitions, addresses])).map(symbolRow.decode)
    const found = new Map(rows.map((row) => [row.address, row]))
    const unnamed = contracts.filter(({ address }) => found.get(address)?.isUnnamed !== false)
    await requestKnown(primary, chainId, unnamed)
    return new Map(rows.map(({ address, symbol }) => [address, symbol]))
  }
}
