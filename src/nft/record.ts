import { blockOfPosition } from './position.ts'

/** A token as the store gives it, in the order of `recordColumns`. */
export type RecordRow = [
  /** 32 hex digits with dashes. */
  tokenHash: string,
  tokenId: string,
  owner: Buffer | null,
  minter: Buffer | null,
  lastPosition: bigint,
  firstPosition: bigint,
  amount: string,
]

/** Select list of a record, of the table `token` under the name t. */
export const recordColumns = 't.token_hash, t.token_id, t.owner, t.minter, t.last_position, t.first_position, t.amount'

/** The parts of a record that all tokens of a collection share, as JSON text. */
export type CollectionText = {
  /** From the opening brace up to the token's own part. */
  head: string
  /** After the token's own part, with the closing brace. */
  tail: string
}

export function collectionText(c: {
  address: string
  standard: string | null
  name: string | null
  symbol: string | null
}): CollectionText {
  return {
    head: `{"token_address":"${c.address}",`,
    tail: `"contract_type":${JSON.stringify(c.standard)},"name":${JSON.stringify(c.name)},"symbol":${JSON.stringify(c.symbol)},"token_uri":null,"metadata":null,"normalized_metadata":null,"media":null,"last_token_uri_sync":null,"last_metadata_sync":null,"possible_spam":false,"verified_collection":false}`,
  }
}

/** One record as JSON text. Everything between the collection's parts is hex and digits, so nothing needs escaping. */
export function renderRecord(row: RecordRow, text: CollectionText, hex: boolean): string {
  const [hash, id, owner, minter, last, first, amount] = row
  return `${text.head}"token_id":"${hex ? `0x${BigInt(id).toString(16)}` : id}","token_hash":"${hash.replaceAll('-', '')}","owner_of":${address(owner)},"minter_address":${address(minter)},"block_number":"${blockOfPosition(last)}","block_number_minted":"${blockOfPosition(first)}","amount":"${amount}",${text.tail}`
}

function address(bytes: Buffer | null): string {
  return bytes ? `"0x${bytes.toString('hex')}"` : 'null'
}
