// A bot that reports every transfer of a collection: it creates a stream for itself and removes it at the end.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { argv, env } from 'node:process'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const { MINTMARK = 'http://127.0.0.1:8080', KEY = '' } = env
const [address = '', chainId = '0x7a69'] = argv.slice(2)
if (!/^0x[0-9a-f]{40}$/i.test(address))
  throw new Error('contract address missing: npx node examples/bot.ts ADDRESS [CHAIN]')
type Body = {
  confirmed: boolean
  reverted?: true
  block: { number: string; hash: string }
  nftTransfers: { tokenName: string; tokenId: string; from: string; to: string }[]
}

const webhookSecret = `whsec_${randomBytes(32).toString('base64')}`
const signed = new Webhook(webhookSecret)
const seen = new Set<string>()
const server = createServer(async (request, response) => {
  const headers = request.headers as Record<string, string>
  try {
    const body = signed.verify(await text(request), headers) as Body
    // A webhook may arrive twice, with the same id.
    if (!seen.has(headers['webhook-id']!)) report(body)
    seen.add(headers['webhook-id']!)
    response.end()
  } catch {
    response.writeHead(401).end()
  }
})

function report({ confirmed, reverted, block, nftTransfers }: Body): void {
  // Each block comes at the head, and again once it is confirmed. A retraction has only the number and hash of the block.
  if (reverted) console.log(`reverted: block ${block.number} (${block.hash}) and its transfers`)
  const when = confirmed ? 'confirmed' : 'new'
  for (const { tokenName, tokenId, from, to } of nftTransfers)
    console.log(`${when}: ${tokenName} #${tokenId} from ${from} to ${to} in block ${block.number}`)
}

async function mintmark(method: string, path: string, body?: object): Promise<{ id: string }> {
  const headers = { 'X-API-Key': KEY, 'Content-Type': 'application/json' }
  const response = await fetch(MINTMARK + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as { id: string }
}

await once(server.listen(0, '127.0.0.1'), 'listening')
const { id } = await mintmark('PUT', '/streams/evm', {
  webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  ...{ webhookSecret, description: 'a bot', tag: 'bot', chainIds: [chainId] },
  ...{ topic0: ['Transfer(address,address,uint256)'], includeContractLogs: true },
})
await mintmark('POST', `/streams/evm/${id}/address`, { address })
console.log(`waiting for transfers of ${address}; Ctrl-C ends the bot and its stream`)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await mintmark('DELETE', `/streams/evm/${id}`)
    process.exit()
  })
