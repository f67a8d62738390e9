/** A view that other programs may rely on. Its columns belong to Mintmark's major version: none changes or is removed before the next one. */
export type PromisedView = {
  name: string
  /** Describes one row. */
  sentence: string
  columns: readonly (readonly [name: string, sql: string, sentence: string])[]
  from: string
}

const address = (column: string) => `'0x' || encode(${column}, 'hex')`
const blockOf = (position: string) => `${position} / 1048576`
const listed = `JOIN collection c ON c.partition = t.partition AND c.id = t.collection_id`

/**
 * The record of a coin. PostgreSQL cannot read JSON with an escape of U+0000 or of a lone surrogate, which names of coins may contain: U+FFFD
 * replaces each.
 */
const coinRecord = String.raw`regexp_replace(t.record, '(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})', '\1\\ufffd', 'g')::json`

const chain = ['chain_id', 'c.chain_id', 'The chain (EIP-155).'] as const
const contract = ['contract', address('c.address'), 'The contract, in lower case.'] as const
const tokenId = ['token_id', 't.token_id', 'The token id, a whole number of up to 78 digits.'] as const

/** The views of the schema `mintmark`, in the order of the documentation. */
export const promisedViews: readonly PromisedView[] = [
  {
    name: 'collections',
    sentence: 'A contract that was requested.',
    columns: [
      chain,
      contract,
      ['name', 'c.name', 'Its name; untrusted text.'],
      ['symbol', 'c.symbol', 'Its symbol; untrusted text.'],
      ['contract_type', 'c.standard', 'ERC721, ERC1155, or null until it is known.'],
      ['status', 'c.status', 'queued, syncing, live, none (no NFTs), nocode or failed.'],
      ['tokens', 'c.tokens', 'Existing tokens.'],
      ['transfers', 'c.transfers', 'Stored transfers.'],
      ['from_block', 'c.from_block', 'The first block with anything to read.'],
      [
        'to_block',
        `CASE WHEN c.status = 'live' THEN h.block_number ELSE c.to_block END`,
        'The last block that is covered without a gap.',
      ],
      ['possible_spam', 'c.possible_spam', 'Whether it counts as spam.'],
      ['verified', 'c.verified', 'Whether it counts as verified.'],
      ['version', 'c.version', 'Every change of an answer raises it.'],
    ],
    from: 'collection c LEFT JOIN chain h ON h.id = c.chain_id',
  },
  {
    name: 'nfts',
    sentence: 'A token that exists.',
    columns: [
      chain,
      contract,
      tokenId,
      ['owner', address('t.owner'), 'The only holder; null if an ERC-1155 id has several.'],
      ['minter', address('t.minter'), 'Who received the first mint, or null.'],
      ['amount', 't.amount', 'Existing units; 1 for ERC-721.'],
      ['contract_type', `CASE WHEN t.erc1155 THEN 'ERC1155' ELSE 'ERC721' END`, 'The standard of the token.'],
      ['block_number', blockOf('t.last_position'), 'Block of the last transfer.'],
      ['block_number_minted', blockOf('coalesce(t.minted_position, t.first_position)'), 'Block of the mint.'],
      ['transfers', 't.transfers', 'Its transfers.'],
      ['token_uri', `('{' || m.record || '}')::json ->> 'token_uri'`, 'The URI of its metadata; untrusted text.'],
      ['metadata', `('{' || m.record || '}')::json ->> 'metadata'`, 'Its metadata, JSON as text; untrusted.'],
      ['metadata_read_at', 'm.fetched_at', 'When the metadata was last read.'],
    ],
    from: `token t ${listed}
  LEFT JOIN token_metadata m ON m.partition = t.partition AND m.collection_id = t.collection_id AND m.token_hash = t.token_hash
WHERE t.amount > 0`,
  },
  {
    name: 'owners',
    sentence: 'A holder of a token.',
    columns: [
      chain,
      contract,
      tokenId,
      ['owner', address('t.holder'), 'The holder.'],
      ['amount', 't.amount', 'Units; 1 for ERC-721.'],
    ],
    from: `(
  SELECT partition, collection_id, token_id, owner AS holder, amount FROM token WHERE NOT erc1155 AND owner IS NOT NULL
  UNION ALL
  SELECT b.partition, b.collection_id, k.token_id, b.holder, b.amount FROM balance b
    JOIN token k ON k.partition = b.partition AND k.collection_id = b.collection_id AND k.token_hash = b.token_hash AND k.erc1155
    WHERE b.amount > 0
) t ${listed}`,
  },
  {
    name: 'transfers',
    sentence: 'A transfer of a token.',
    columns: [
      chain,
      contract,
      tokenId,
      ['from_address', address('t.from_address'), 'The sender; the zero address for a mint.'],
      ['to_address', address('t.to_address'), 'The recipient; the zero address for a burn.'],
      ['amount', 't.amount', 'Units; 1 for ERC-721.'],
      ['operator', address('t.operator'), 'ERC-1155: who moved it.'],
      ['block_number', blockOf('t.position'), 'Its block.'],
      ['block_hash', address('t.block_hash'), 'The hash of the block.'],
      ['block_time', 'to_timestamp(t.block_time)', 'The time of the block; null until it is known.'],
      ['transaction_hash', address('t.transaction_hash'), 'Its transaction.'],
      ['log_index', 't.position % 1048576', 'The index of its log in the block.'],
    ],
    from: `transfer t ${listed}`,
  },
  {
    name: 'wallet_nfts',
    sentence: 'A token that an address holds, from the wallet tables, which follow moments later.',
    columns: [
      chain,
      ['wallet', address('w.wallet'), 'The holder.'],
      contract,
      tokenId,
      ['amount', 'w.amount', 'Units; 1 for ERC-721.'],
    ],
    from: `wallet_token w
  JOIN wallet_collection o ON o.partition = w.partition AND o.chain_id = w.chain_id AND o.wallet = w.wallet AND o.collection_id = w.collection_id
  JOIN token t ON t.partition = o.collection_partition AND t.collection_id = w.collection_id AND t.token_hash = w.token_hash
  ${listed}`,
  },
  {
    name: 'traits',
    sentence: 'A trait of a collection.',
    columns: [
      chain,
      contract,
      ['trait_type', 't.trait_type', 'Its type, or null; untrusted text.'],
      ['value', `t.value::json #>> '{}'`, 'Its value as text; untrusted.'],
      ['tokens', 't.tokens', 'Tokens that have it.'],
    ],
    from: `trait_count t ${listed}`,
  },
  {
    name: 'coins',
    sentence: 'A coin or fungible asset of an Aptos-style network.',
    columns: [
      ['network', 'n.name', 'The network, as in the configuration.'],
      ['coin_type_hash', `encode(t.coin_type_hash, 'hex')`, 'SHA-256 of the type.'],
      ['coin_type', `${coinRecord} ->> 'coin_type'`, 'The type.'],
      ['name', `${coinRecord} ->> 'name'`, 'Its name; untrusted text.'],
      ['symbol', `${coinRecord} ->> 'symbol'`, 'Its symbol; untrusted text.'],
      ['decimals', `(${coinRecord} ->> 'decimals')::int`, 'Decimal places when it was created.'],
      ['creator_address', `${coinRecord} ->> 'creator_address'`, 'Its creator.'],
      ['version', 't.version', 'The version of the transaction that created it.'],
      ['token_standard', `CASE t.standard WHEN 1 THEN 'v1' ELSE 'v2' END`, 'v1: a coin; v2: a fungible asset.'],
    ],
    from: 'coin t JOIN coin_network n ON n.id = t.network_id WHERE t.shown AND (t.version <= n.shown_version OR t.early)',
  },
  {
    name: 'deliveries',
    sentence: 'A webhook of a stream.',
    columns: [
      ['webhook_id', 't.id', 'The header webhook-id.'],
      ['stream_id', 't.stream_id', 'The stream.'],
      ['tag', 's.tag', 'The tag of the stream; null after it was deleted.'],
      ['chain_id', 't.chain_id', 'The chain.'],
      ['block_number', 't.block_number', 'The block.'],
      ['block_hash', address('t.block_hash'), 'The hash of the block.'],
      ['kind', 't.kind', 'unconfirmed, confirmed or retraction.'],
      ['status', 't.status', 'pending, delivered, failed or dropped.'],
      ['logs', 't.logs', 'Logs in it.'],
      ['created_at', 't.created_at', 'When it was queued.'],
    ],
    from: 'webhook t LEFT JOIN stream s ON s.partition = t.partition AND s.id = t.stream_id',
  },
]

/** The query of a view. It names tables without their schema, so each session decides which tables these are. */
export function viewQuery({ columns, from }: PromisedView): string {
  return `SELECT ${columns.map(([name, sql]) => `${sql} AS ${name}`).join(', ')}\nFROM ${from}`
}
