// Tokens of a wallet and owners of a collection, by the alchemy-sdk package. Only `url` differs from a program for Alchemy.
import { argv, env, exit } from 'node:process'
import { Alchemy, GetTransfersForOwnerTransferType, Network } from 'alchemy-sdk'

const { MINTMARK = 'http://127.0.0.1:8080', KEY = '' } = env
const [contract = '', network = 'local'] = argv.slice(2)
const alchemy = new Alchemy({
  apiKey: KEY,
  network: Network.ETH_MAINNET,
  url: `${MINTMARK}/alchemy/${network}/nft/v3/${KEY}`,
})

const { name, symbol, tokenType, totalSupply } = await alchemy.nft.getContractMetadata(contract)
console.log(`${name} (${symbol}), ${tokenType}, ${totalSupply ?? 'unknown'} tokens`)

// Owners with their tokens, 50,000 a page.
const owners: { ownerAddress: string; tokens: number }[] = []
for (let pageKey: string | undefined; ; ) {
  const page = await alchemy.nft.getOwnersForContract(contract, {
    withTokenBalances: true,
    ...(pageKey && { pageKey }),
  })
  for (const { ownerAddress, tokenBalances } of page.owners) owners.push({ ownerAddress, tokens: tokenBalances.length })
  pageKey = page.pageKey
  if (!pageKey) break
}
owners.sort((a, b) => b.tokens - a.tokens)
console.log(`${owners.length} owners`)
const largest = owners[0]?.ownerAddress
if (!largest) exit()

// All tokens of the largest one, page by page behind the iterator.
const held: string[] = []
for await (const nft of alchemy.nft.getNftsForOwnerIterator(largest, { contractAddresses: [contract] }))
  held.push('name' in nft ? `${nft.name ?? nft.tokenId}` : nft.tokenId)
console.log(`${largest} holds ${held.length}: ${held.slice(0, 3).join(', ')} …`)

// The first received tokens: the package requests the oldest transfers first.
const { TO } = GetTransfersForOwnerTransferType
const received = await alchemy.nft.getTransfersForOwner(largest, TO, { contractAddresses: [contract] })
for (const { tokenId, from, transactionHash } of received.nfts.slice(0, 3))
  console.log(`received ${tokenId} from ${from} in ${transactionHash}`)

const { summary } = await alchemy.nft.summarizeNftAttributes(contract)
for (const [trait, values] of Object.entries(summary)) console.log(`${trait}: ${Object.keys(values).length} values`)

const [first] = await alchemy.nft.getNftsForContract(contract, { pageSize: 1 }).then(({ nfts }) => nfts)
console.log(`first token ${first?.tokenId}, minted in block ${first?.mint?.blockNumber} to ${first?.mint?.mintAddress}`)
