import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UnavailableError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import { quantity } from '../../util/hex.ts'

export type DemoReceiver = { url: string; stop(): Promise<void> }

/** A receiver that accepts every webhook. */
export async function startDemoReceiver(): Promise<DemoReceiver> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('thanks'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type DemoStreamOptions = {
  url: string
  apiKey: string
  chainId: number | bigint
  address: Address
  webhookUrl: string
  signal: AbortSignal
}

const transferEvent = {
  ...{ type: 'event', name: 'Transfer', anonymous: false },
  inputs: [
    { name: 'from', type: 'address', indexed: true },
    { name: 'to', type: 'address', indexed: true },
    { name: 'tokenId', type: 'uint256', indexed: true },
  ],
}

/** Creates a stream of a collection's transfers; returns its id. */
export async function createDemoStream(options: DemoStreamOptions): Promise<string> {
  const { url, apiKey, chainId, address, webhookUrl, signal } = options
  const call = async (method: string, path: string, body: object): Promise<{ id: string }> => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body), signal })
    if (!response.ok)
      throw new UnavailableError(`${method} ${path} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as { id: string }
  }
  const { id } = await call('PUT', '/streams/evm', {
    webhookUrl,
    description: 'transfers of the tiles',
    tag: 'demo',
    chainIds: [quantity(chainId)],
    topic0: ['Transfer(address,address,uint256)'],
    includeContractLogs: true,
    abi: [transferEvent],
  })
  await call('POST', `/streams/evm/${id}/address`, { address })
  return id
}
