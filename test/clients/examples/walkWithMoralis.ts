import Moralis from 'moralis'

export async function* walkWithMoralis(address: string, chain: string) {
  let page = await Moralis.EvmApi.nft.getContractNFTs({ address, chain })
  for (;;) {
    yield* page.result
    if (!page.hasNext()) return
    page = await page.next()
  }
}
