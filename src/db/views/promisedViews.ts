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

const chain = ['chain_id', 'c.chain_id', 'Chain id (EIP-155).'] as const
const contract = ['contract', address('c.address'), 'Address of the contract, in lower case.'] as const
const tokenId = ['token_id', 't.token_id', 'The token id, a whole number of up to 78 digits.'] as const

/** The views of the schema `mintmark`, in the order of the documentation. */
export const promisedViews: readonly PromisedView[] = [
  {
    name: 'collections',
    sentence:
      'A row is a contract that somebody requested, or that Mintmark found in a wallet or a new block (status known).',
    columns: [
      chain,
      contract,
      ['name', 'c.name', 'Name of the contract; untrusted text.'],
      ['symbol', 'c.symbol', 'Symbol of the contract; untrusted text.'],
      ['contract_type', 'c.standard', 'ERC721, ERC1155, or null until it is known.'],
      ['status', 'c.status', 'queued, syncing, live, none (no NFTs), nocode (no contract), failed or known.'],
      ['tokens', 'c.tokens', 'Number of existing tokens.'],
      ['transfers', 'c.transfers', 'Number of stored transfers.'],
      ['from_block', 'c.from_block', 'The first block of its history, at which coverage starts.'],
      [
        'to_block',
        `CASE WHEN c.status = 'live' THEN h.block_number ELSE c.to_block END`,
        'The last block that is covered without a gap.',
      ],
      ['possible_spam', 'c.possible_spam', 'Whether it counts as spam.'],
      ['verified', 'c.verified', 'Whether it counts as verified.'],
      ['version', 'c.version', 'Version of the collection; every change of a response increases it.'],
    ],
    from: 'collection c LEFT JOIN chain h ON h.id = c.chain_id',
  },
  {
    name: 'nfts',
    sentence: 'A row is an existing token.',
    columns: [
      chain,
      contract,
      tokenId,
      ['owner', address('t.owner'), 'The only holder; null if an ERC-1155 id has several.'],
      ['minter', address('t.minter'), 'Recipient of the first mint, or null.'],
      ['amount', 't.amount', 'Existing units; 1 for ERC-721.'],
      ['contract_type', `CASE WHEN t.erc1155 THEN 'ERC1155' ELSE 'ERC721' END`, 'Standard of the token.'],
      ['block_number', blockOf('t.last_position'), 'Block of the last transfer.'],
      ['block_number_minted', blockOf('coalesce(t.minted_position, t.first_position)'), 'Block of the mint.'],
      ['transfers', 't.transfers', 'Number of its transfers.'],
      ['token_uri', `('{' || m.record || '}')::json ->> 'token_uri'`, 'URI of the metadata; untrusted text.'],
      ['metadata', `('{' || m.record || '}')::json ->> 'metadata'`, 'Metadata, JSON as text; untrusted.'],
      ['metadata_read_at', 'm.fetched_at', 'Time when Mintmark last read the metadata.'],
    ],
    from: `token t ${listed}
  LEFT JOIN token_metadata m ON m.partition = t.partition AND m.collection_id = t.collection_id AND m.token_hash = t.token_hash
WHERE t.amount > 0`,
  },
  {
    name: 'owners',
    sentence: 'A row is a holder of a token.',
    columns: [
      chain,
      contract,
      tokenId,
      ['owner', address('t.holder'), 'Address of the holder.'],
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
    sentence: 'A row is a transfer of a token.',
    columns: [
      chain,
      contract,
      tokenId,
      ['from_address', address('t.from_address'), 'Sender; the zero address for a mint.'],
      ['to_address', address('t.to_address'), 'Recipient; the zero address for a burn.'],
      ['amount', 't.amount', 'Units; 1 for ERC-721.'],
      ['operator', address('t.operator'), 'ERC-1155: address that moved the token; ERC-721: null.'],
      ['block_number', blockOf('t.position'), 'Number of the block.'],
      ['block_hash', address('t.block_hash'), 'Hash of the block.'],
      [
        'block_time',
        'to_timestamp(least(t.block_time, 253402300799))',
        'Time of the block, at most the year 9999; null until it is known.',
      ],
      ['transaction_hash', address('t.transaction_hash'), 'Hash of the transaction.'],
      ['log_index', 't.position % 1048576', 'Index of the log in the block.'],
    ],
    from: `transfer t ${listed}`,
  },
  {
    name: 'wallet_nfts',
    sentence: 'A row is a token that an address holds. The wallet tables follow the transfers moments later.',
    columns: [
      chain,
      ['wallet', address('w.wallet'), 'Address of the holder.'],
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
    sentence: 'A row is a value of a trait of a collection.',
    columns: [
      chain,
      contract,
      ['trait_type', 't.trait_type', 'Type of the trait, or null; untrusted text.'],
      ['value', `t.value::json #>> '{}'`, 'Value of the trait as text; untrusted.'],
      ['tokens', 't.tokens', 'Number of tokens with this value.'],
    ],
    from: `trait_count t ${listed}`,
  },
  {
    name: 'coins',
    sentence: 'A row is a coin or fungible asset of an Aptos-style network.',
    columns: [
      ['network', 'n.name', 'Name of the network, as in the configuration.'],
      ['coin_type_hash', `encode(t.coin_type_hash, 'hex')`, 'SHA-256 of the type.'],
      ['coin_type', `${coinRecord} ->> 'coin_type'`, 'Type of the coin; address of an asset.'],
      ['name', `${coinRecord} ->> 'name'`, 'Name of the coin; untrusted text.'],
      ['symbol', `${coinRecord} ->> 'symbol'`, 'Symbol of the coin; untrusted text.'],
      ['decimals', `(${coinRecord} ->> 'decimals')::int`, 'Decimal places when the coin was created.'],
      ['creator_address', `${coinRecord} ->> 'creator_address'`, 'Creator of the coin; first owner of an asset.'],
      ['version', 't.version', 'Version of the transaction that created the coin.'],
      ['token_standard', `CASE t.standard WHEN 1 THEN 'v1' ELSE 'v2' END`, 'v1: a coin; v2: a fungible asset.'],
    ],
    from: 'coin t JOIN coin_network n ON n.id = t.network_id WHERE t.shown AND (t.version <= n.shown_version OR t.early)',
  },
  {
    name: 'deliveries',
    sentence: 'A row is a webhook of a stream.',
    columns: [
      ['webhook_id', 't.id', 'Value of the header webhook-id.'],
      ['stream_id', 't.stream_id', 'Id of the stream.'],
      ['tag', 's.tag', 'Tag of the stream; null after somebody deleted the stream.'],
      ['chain_id', 't.chain_id', 'Chain id (EIP-155).'],
      ['block_number', 't.block_number', 'Number of the block.'],
      ['block_hash', address('t.block_hash'), 'Hash of the block.'],
      ['kind', 't.kind', 'unconfirmed, confirmed or retraction.'],
      ['status', 't.status', 'pending, delivered, failed or dropped.'],
      ['logs', 't.logs', 'Number of logs in the webhook.'],
      ['created_at', 't.created_at', 'Time when Mintmark queued the webhook.'],
    ],
    from: 'webhook t LEFT JOIN stream s ON s.partition = t.partition AND s.id = t.stream_id',
  },
]

/** The query of a view. It names tables without their schema, so each session decides which tables these are. */
export function viewQuery({ columns, from }: PromisedView): string {
  return `SELECT ${columns.map(([name, sql]) => `${sql} AS ${name}`).join(', ')}\nFROM ${from}`
}
