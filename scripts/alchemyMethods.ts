type Works = 'works' | 'works better' | 'differs' | 'missing'

/** For each NFT method of Alchemy's published client: how it works here. */
export const alchemyMethods: Readonly<Record<string, readonly [Works, string]>> = {
  getNftMetadata: [
    'works',
    "The first request for a contract starts its indexing. `raw.error` says why metadata is missing; the text is Mintmark's, not Alchemy's.",
  ],
  getNftMetadataBatch: ['works', 'At most 100 tokens.'],
  getContractMetadata: [
    'works',
    "OpenSea's fields have the values of `contractURI`, else null. Mintmark reads the deployer and the deployment block from the node once. The deployer is null if another contract deployed the contract.",
  ],
  getContractMetadataBatch: ['works', 'At most 100 contracts.'],
  getCollectionMetadata: ['missing', 'The method needs a slug, a name that a marketplace defines.'],
  getNftsForOwner: [
    'differs',
    '`orderBy` is an error unless `x-index-scope` is `chain`. [Airdrops](#airdrops) explains `AIRDROPS`. ENS names are not resolved.',
  ],
  getNftsForOwnerIterator: ['differs', 'Like `getNftsForOwner`.'],
  getNftsForContract: ['works', 'The order is that of token ids.'],
  getNftsForContractIterator: ['works', 'The order is that of token ids.'],
  getOwnersForContract: ['works better', '`block` accepts any covered block.'],
  getOwnersForNft: ['works better', 'Lists all owners of an ERC-1155 token, page by page.'],
  getContractsForOwner: [
    'differs',
    'The order is by address. With `orderBy`, the contract of the last received token comes first. `orderBy` is an error unless `x-index-scope` is `chain`, and together with [`AIRDROPS`](#airdrops).',
  ],
  getTransfersForOwner: [
    'works',
    'Covers all contracts of the chain, or only indexed contracts; `x-index-scope` says which.',
  ],
  getTransfersForContract: ['works', ''],
  getMintedNfts: ['works', 'Like `getTransfersForOwner`.'],
  verifyNftOwnership: [
    'works',
    'The SDK reads one page of 100 tokens. So check one contract per call if the wallet may hold more tokens of them.',
  ],
  isSpamContract: ['works better', '[spam.md](spam.md) has the rules and their reasons.'],
  getSpamContracts: ['works', 'Lists the indexed contracts that count as spam.'],
  reportSpam: ['differs', 'The server accepts the report but does not store it. Only an operator can mark spam.'],
  isAirdropNft: ['works', 'True if the recipient of the mint did not send the transaction.'],
  getFloorPrice: ['missing', 'Mintmark reads no marketplace: each price is null, with an error.'],
  getNftSales: ['missing', 'Mintmark reads no marketplace: the list is empty, with an error.'],
  computeRarity: ['works', ''],
  searchContractMetadata: ['works', 'Searches only indexed contracts.'],
  summarizeNftAttributes: ['works', 'At most 100,000 values; `x-index-incomplete` says if there are more.'],
  refreshNftMetadata: [
    'works better',
    'Waits for the new metadata, at most 3 s. Fetches a token a minute after its last fetch at the earliest.',
  ],
  refreshContract: ['works', 'Starts at most one refresh in ten minutes.'],
}

const begin = '<!-- alchemy-methods: begin -->'
const end = '<!-- alchemy-methods: end -->'

/** Returns the page with an updated table of these methods. */
export function withAlchemyMethods(page: string): string {
  const rows = Object.entries(alchemyMethods).map(([name, [works, note]]) => `| \`${name}\` | ${works} | ${note} |`)
  const table = ['| Method | Support | Details |', '|---|---|---|', ...rows].join('\n')
  const [before, rest] = page.split(begin) as [string, string]
  return `${before}${begin}\n${table}\n${end}${rest.split(end)[1]}`
}
