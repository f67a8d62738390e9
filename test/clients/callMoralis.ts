import { argv } from 'node:process'
import Moralis from 'moralis'

// A program without any redirection to another server. It prints the responses of the package's own hosts.
const [apiKey] = argv.slice(2) as [string]
await Moralis.start({ apiKey })
const stream = await Moralis.Streams.add({
  ...{ webhookUrl: 'http://127.0.0.1:8099', description: 'by proxy', tag: 'proxy', chains: ['0x7a69'] },
})
const coins = await Moralis.AptosApi.coins.getLatestCoins({ limit: 1 })
process.stdout.write(JSON.stringify({ tag: stream.result.tag, coins: coins.toJSON().result }))
