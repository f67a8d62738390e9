import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { request } from 'undici'
import type { Address } from '../src/util/hex.ts'
import { benchChain, benchKey } from './measuredService.ts'

/** A receiver of webhooks. `unconfirmed` waits for the unconfirmed webhook of a block and returns when it arrived. */
export type BlockReceiver = { url: string; unconfirmed(block: bigint): Promise<number>; close(): void }

export async function startBlockReceiver(): Promise<BlockReceiver> {
  const arrived = new Map<string, number>()
  const server = createServer((incoming, response) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    incoming.on('end', () => {
      const at = performance.now()
      const { confirmed, block } = JSON.parse(body) as { confirmed: boolean; block: { number: string } }
      if (!confirmed) {
        arrived.set(block.number, at)
        server.emit('webhook')
      }
      response.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async unconfirmed(block) {
      for (;;) {
        const at = arrived.get(String(block))
        if (at !== undefined) return at
        await once(server, 'webhook', { signal: AbortSignal.timeout(60_000) })
      }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Creates a stream that sends the transfers of a contract to `webhookUrl`. */
export async function createBlockStream(url: string, webhookUrl: string, contract: Address): Promise<void> {
  const send = async (method: 'PUT' | 'POST', path: string, body: object) => {
    const answer = await request(url + path, {
      method,
      headers: { 'x-api-key': benchKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.body.text()
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${answer.statusCode} ${text}`)
    return JSON.parse(text) as { id: string }
  }
  const { id } = await send('PUT', '/streams/evm', {
    webhookUrl,
    description: 'timed',
    tag: 'timed',
    chainIds: [benchChain.id],
    includeContractLogs: true,
    topic0: ['Transfer(address,address,uint256)'],
  })
  await send('POST', `/streams/evm/${id}/address`, { address: contract })
}
