const token_address = '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d'
const token_uri = 'ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1'
const document = {
  image: 'ipfs://QmPbxeGcXhYQQNgsC6a36dDyYUcHgMLnGKnF8pVFmGsvqi',
  attributes: [{ trait_type: 'Mouth', value: 'Grin' }],
}
const preview = (pixels: number, size: string) => ({
  width: pixels,
  height: pixels,
  url: `http://127.0.0.1:8080/media/6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e/${size}.webp`,
})

/** As with normalizeMetadata and media_items; by default both are null. */
const nft = {
  token_address,
  token_id: '1',
  token_hash: '1110988e2d21ed8c8c812d32d0fdc5d2',
  owner_of: '0x46efbaedc92067e6d60e84ed6395099723252496',
  minter_address: '0xaba7161a7fb69c88e16ed9f455ce62b791ee4d03',
  block_number: '14939840',
  block_number_minted: '12287507',
  amount: '1',
  contract_type: 'ERC721',
  name: 'BoredApeYachtClub',
  symbol: 'BAYC',
  token_uri,
  metadata: JSON.stringify(document),
  normalized_metadata: {
    ...{ name: null, description: null, image: document.image },
    ...{ external_link: null, external_url: null, animation_url: null },
    attributes: [{ ...document.attributes[0], display_type: null, max_value: null, trait_count: 713, order: null }],
  },
  media: {
    status: 'success',
    original_media_url: document.image,
    mimetype: 'image/png',
    category: 'image',
    parent_hash: '6f1ed002ab5595859014ebf0951522d9e1b0a7f2c3d4e5f60718293a4b5c6d7e',
    updatedAt: '2026-01-31T12:00:05.000Z',
    media_collection: { low: preview(100, 'low'), medium: preview(250, 'medium'), high: preview(500, 'high') },
  },
  last_token_uri_sync: '2026-01-31T12:00:00.000Z',
  last_metadata_sync: '2026-01-31T12:00:01.000Z',
  possible_spam: false,
  verified_collection: true,
}

/** A token in a list without optional fields. */
const listed = { ...nft, normalized_metadata: null, media: null }

/** Unread fields of a newly requested token. */
const untried = { token_uri: null, metadata: null, last_token_uri_sync: null, last_metadata_sync: null }

const owners = {
  total: null,
  page: 0,
  page_size: 1,
  cursor: 'GYpbgukHhFE4bc4ZMfNNqkMxZ0B2gP3u7tTAqomv4ZRb',
  result: [listed],
  status: 'SYNCED',
}

const pending = {
  status: 'due',
  reason: null,
  attempts: 0,
  tried_at: '2026-01-31T12:00:01.000Z',
  next_at: '2026-01-31T12:05:00.000Z',
}

const transferPage = {
  total: null,
  page: 0,
  page_size: 100,
  cursor: null,
  result: [
    {
      token_id: nft.token_id,
      token_address,
      contract_type: nft.contract_type,
      verified: nft.verified_collection,
      possible_spam: nft.possible_spam,
      from_address: '0x0000000000000000000000000000000000000000',
      to_address: nft.minter_address,
      amount: nft.amount,
      block_number: nft.block_number_minted,
      block_hash: '0x7e2ea8a9e7ae7f9e0d3b2d8b7ffb9d1a9f5e3b7f1cbb9a2fbe4e5b0a7ce0d6f4',
      block_timestamp: '2021-04-22T04:24:49.000Z',
      transaction_hash: '0x22199329b0aa1aa68902a78e3b32ca327c872fab166c7a2838273de6ad383eba',
      transaction_index: 88,
      log_index: 112,
      operator: null,
      value: null,
    },
  ],
  status: 'SYNCED',
}

/** Whole answers of the operations on NFTs, by operationId. */
export const nftExamples: Record<string, unknown> = {
  getContractNFTs: {
    total: null,
    page: 0,
    page_size: 1,
    cursor: 'GYpbgukHhFE4bc4ZMfNNqkMxZ0B2gP3u7tTAqomv4ZRb',
    result: [listed],
    status: 'SYNCED',
  },
  getNFT: nft,
  getMultipleNFTs: [{ ...listed, ...untried }],
  getNFTOwners: owners,
  getNFTTokenIdOwners: owners,
  getNFTCollectionStats: { total_tokens: '9998', owners: { current: '5549' }, transfers: { total: '169204' } },
  getNFTTokenStats: { total_tokens: '1', owners: { current: '1' }, transfers: { total: '4' } },
  getNFTContractMetadata: {
    token_address,
    name: nft.name,
    symbol: nft.symbol,
    contract_type: nft.contract_type,
    synced_at: '2026-01-31T12:00:00.000Z',
    possible_spam: nft.possible_spam,
    verified_collection: nft.verified_collection,
  },
  getNFTContractTransfers: transferPage,
  getNFTTransfers: transferPage,
  getWalletNFTTransfers: transferPage,
  getNFTTransfersFromToBlock: transferPage,
  getNFTTransfersByBlock: transferPage,
  getNFTTraits: {
    total: null,
    page: 0,
    page_size: 100,
    cursor: null,
    result: [
      { trait_type: 'Eyes', value: 'Laser Eyes', count: 69, percentage: 0.69 },
      { trait_type: 'Mouth', value: 'Grin', count: 713, percentage: 7.13 },
    ],
    status: 'SYNCED',
  },
  getWalletNFTs: {
    total: null,
    page: 0,
    page_size: 1,
    cursor: 'GYpbgukHhFE4bc4ZMfNNqkMxZ0B2gP3u7tTAqomv4ZRb',
    result: [listed],
    status: 'SYNCED',
  },
  getWalletNFTsOfChains: {
    total: null,
    page: 0,
    page_size: 1,
    cursor: null,
    result: [{ ...listed, ...untried, chain: 'eth' }],
    status: 'SYNCED',
    chains: { eth: { status: 'synced', scope: 'chain', progress: 1, from_block: '0', to_block: '14939840' } },
  },
  getWalletNFTCollections: {
    total: null,
    page: 0,
    page_size: 100,
    cursor: null,
    result: [
      {
        token_address,
        contract_type: nft.contract_type,
        name: nft.name,
        symbol: nft.symbol,
        possible_spam: nft.possible_spam,
        verified_collection: nft.verified_collection,
        count: 3,
      },
    ],
    status: 'SYNCED',
  },
  getChains: {
    result: [
      {
        name: 'eth',
        id: '0x1',
        aliases: ['mainnet', 'ethereum'],
        configured: true,
        head: '14939840',
        status: 'following',
        discover: true,
      },
      {
        name: 'optimism',
        id: '0xa',
        aliases: ['op mainnet', 'op-mainnet'],
        configured: true,
        head: null,
        status: 'idle',
        discover: false,
      },
    ],
  },
  getNFTHolders: {
    total: 5413,
    page: 0,
    page_size: 100,
    cursor: null,
    result: [{ owner_of: `0x${'5a'.repeat(20)}`, amount: '105', tokens: 105, percentage: 1.05 }],
    status: 'SYNCED',
  },
  getSnapshotProof: {
    root: `0x${'1f'.repeat(32)}`,
    leaf: `0x${'2e'.repeat(32)}`,
    proof: [`0x${'3d'.repeat(32)}`],
    holder: `0x${'5a'.repeat(20)}`,
    token_id: '1',
    amount: '1',
    token_ids: ['1'],
    block: '17000000',
    block_hash: `0x${'4c'.repeat(32)}`,
  },
  reSyncMetadata: pending,
  reSyncMetadataByPost: pending,
  syncNFTContract: { status: 'SYNCING', metadata_progress: 0.25 },
  getNFTMetadataHistory: {
    result: [
      {
        document_hash: '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
        token_uri,
        metadata: JSON.stringify(document),
        since: '2026-01-31T12:00:01.000Z',
        until: null,
      },
    ],
    dropped: 0,
  },
}
