type Works = 'works' | 'works better' | 'differs' | 'missing'

/** For each NFT method of Alchemy's published client: how it works here. */
export const alchemyMethods: Readonly<Record<string, readonly [Works, string]>> = {
  getNftMetadata: [
    'works',
    'A contract that is not indexed yet is indexed. `raw.error` says why metadata is missing, in the words of this server.',
  ],
  getNftMetadataBatch: ['works', 'At most 100 tokens.'],
  getContractMetadata: [
    'works',
    "OpenSea's fields have the values of `contractURI`, else null. The deployer and the block of the deployment are read from the node once; the deployer is null if a contract deployed it.",
  ],
  getContractMetadataBatch: ['works', 'At most 100 contracts.'],
  getCollectionMetadata: ['missing', 'A slug is a name that a marketplace chose.'],
  getNftsForOwner: [
    'differs',
    '`orderBy` needs a wallet over the whole chain, else it is an error. `AIRDROPS`: [below](#airdrops). ENS names are not resolved.',
  ],
  getNftsForOwnerIterator: ['differs', 'As getNftsForOwner.'],
  getNftsForContract: ['works', 'In the order of token ids.'],
  getNftsForContractIterator: ['works', 'In the order of token ids.'],
  getOwnersForContract: ['works better', '`block` works, for any covered block.'],
  getOwnersForNft: ['works better', 'All owners of an ERC-1155 token, page by page.'],
  getContractsForOwner: [
    'differs',
    'By address, or with `orderBy` the last received first: as getNftsForOwner, and not with `AIRDROPS`, which is [below](#airdrops).',
  ],
  getTransfersForOwner: ['works', 'Over the whole chain or of indexed contracts, as `x-index-scope` says.'],
  getTransfersForContract: ['works', ''],
  getMintedNfts: ['works', 'As getTransfersForOwner.'],
  verifyNftOwnership: ['works', ''],
  isSpamContract: ['works better', 'The rules and their reasons are in [spam.md](spam.md).'],
  getSpamContracts: ['works', 'The indexed contracts that count as spam.'],
  reportSpam: ['differs', 'Accepted, but not stored: an operator marks spam.'],
  isAirdropNft: ['works', 'True if the mint went to somebody who did not send the transaction.'],
  getFloorPrice: ['missing', 'Mintmark reads no marketplace: each price is null, with an error.'],
  getNftSales: ['missing', 'Mintmark reads no marketplace: the list is empty, with an error.'],
  computeRarity: ['works', ''],
  searchContractMetadata: ['works', 'Among indexed contracts.'],
  summarizeNftAttributes: ['works', ''],
  refreshNftMetadata: ['works better', 'Waits until the metadata is read, at most 3 s.'],
  refreshContract: ['works', 'At most once in ten minutes.'],
}

const begin = '<!-- alchemy-methods: begin -->'
const end = '<!-- alchemy-methods: end -->'

/** Returns the page with an updated table of these methods. */
export function withAlchemyMethods(page: string): string {
  const rows = Object.entries(alchemyMethods).map(([name, [works, note]]) => `| \`${name}\` | ${works} | ${note} |`)
  const table = ['| Method | Here | |', '|---|---|---|', ...rows].join('\n')
  const [before, rest] = page.split(begin) as [string, string]
  return `${before}${begin}\n${table}\n${end}${rest.split(end)[1]}`
}
