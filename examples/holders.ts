// The largest holders of a collection, by the moralis package.
import { argv, env } from 'node:process'
import Moralis from 'moralis'

const { MINTMARK = 'http://127.0.0.1:8080', KEY = '' } = env
const [address = '', chain = '0x7a69'] = argv.slice(2)
await Moralis.start({ apiKey: KEY, evmApiBaseUrl: `${MINTMARK}/api/v2` })

const held = new Map<string, number>()
for (let page = await Moralis.EvmApi.nft.getNFTOwners({ address, chain }); ; page = await page.next()) {
  for (const { ownerOf, amount } of page.result.map((owner) => owner.result))
    held.set(ownerOf!.lowercase, (held.get(ownerOf!.lowercase) ?? 0) + (amount ?? 1))
  if (!page.hasNext()) break
}
const largest = [...held].sort(([, a], [, b]) => b - a).slice(0, 10)
for (const [owner, count] of largest) console.log(`${owner} ${count}`)
