import type { GuardedSettings } from '../src/net/guard/outboundSettings.ts'
import { createGateways } from '../src/net/ipfs/createGateways.ts'
import { guardedClient } from './guardedClient.ts'
import { httpAnswer, type RawHandler } from './rawServer.ts'

/** The content of a gateway by path. Blocks are under `car:` and the CID. */
export type Holdings = Record<string, string | Buffer>

/** Responds as an IPFS gateway with this content. */
export const serveIpfs =
  (holdings: Holdings): RawHandler =>
  (_, socket, path) => {
    const [plain = '', query] = path.split('?')
    const car = query?.includes('format=car') ? holdings[`car:${plain.split('/')[2]}`] : undefined
    const body = car ?? holdings[plain]
    if (body === undefined) return socket.write(httpAnswer(404, 'nothing'))
    const type = car ? 'application/vnd.ipld.car; version=1' : 'application/json'
    return socket.write(httpAnswer(200, body, { 'content-type': type }))
  }

/** Gateways over test servers, for IPFS and Arweave alike. `patienceMs`: time before the next gateway is requested, too. */
export function gatewaysOver(
  servers: { url: string }[],
  settings: Partial<GuardedSettings> = {},
  patienceMs = 600_000,
) {
  const urls = servers.map(({ url }) => url)
  const client = guardedClient({ ipfsGateways: urls, ...settings })
  const gateways = createGateways({ client, ipfs: urls, arweave: urls, patienceMs, metrics: client.metrics })
  return { ...gateways, metrics: client.metrics, [Symbol.asyncDispose]: () => client.close() }
}
