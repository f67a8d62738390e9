const image = {
  cachedUrl: null,
  thumbnailUrl: null,
  pngUrl: null,
  contentType: 'image/png',
  size: null,
  originalUrl: 'ipfs://QmRRPWG96cmgTn2qSzjwr2qvfNEuhunv6FNeMFGa9bx6mQ',
}

const response = {
  jsonrpc: '2.0',
  id: 1,
  result: { transfers: [], pageKey: null },
}

/** Answers of Alchemy's dialect. */
export const alchemyExamples = {
  readAlchemy: {
    owners: [`0x${'5a'.repeat(20)}`],
    totalCount: 1,
    pageKey: null,
  },
  callAlchemy: response,
  postAlchemy: {
    nfts: [
      {
        contract: {
          address: '0xbc4ca0eda7647a8ab7c2061c2e118a18a936f13d',
          name: 'BoredApeYachtClub',
          symbol: 'BAYC',
          totalSupply: '9998',
          tokenType: 'ERC721',
          contractDeployer: null,
          deployedBlockNumber: 12_287_507,
          openSeaMetadata: { collectionName: null, lastIngestedAt: '2026-01-31T12:00:00.000Z' },
          isSpam: false,
          spamClassifications: [],
        },
        tokenId: '1',
        tokenType: 'ERC721',
        name: null,
        description: null,
        tokenUri: 'ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1',
        image,
        animation: { ...image, contentType: null, originalUrl: null },
        raw: { tokenUri: 'ipfs://QmeSjSinHpPnmXmspMjwiXyN6zS4E9zccariGR3jxcaWtq/1', metadata: {}, error: null },
        collection: { name: 'BoredApeYachtClub', slug: null, externalUrl: null, bannerImageUrl: null },
        mint: {
          mintAddress: `0x${'5a'.repeat(20)}`,
          blockNumber: 12_287_507,
          timestamp: '2021-04-22T04:36:40.000Z',
          transactionHash: `0x${'cd'.repeat(32)}`,
        },
        owners: null,
        timeLastUpdated: '2026-01-31T12:00:00.000Z',
      },
    ],
  },
}
