import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startAnvil } from '../anvil.ts'
import { certificates } from '../certificates.ts'
import { startTestServer, testApiKey } from '../mintmark.ts'
import { seedCoins, seededCoin } from '../seedCoins.ts'

/** An HTTPS proxy that impersonates the package's hosts and forwards their requests to a server. */
async function startProxy(server: string) {
  const hosts: string[] = []
  const { hostname, port } = new URL(server)
  const proxy = createServer().on('connect', (request, socket) => {
    hosts.push(request.url ?? '')
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    const { key, moralis: cert } = certificates
    const inside = new TLSSocket(socket, { isServer: true, key, cert })
    const outside = connect(Number(port), hostname)
    // The client's process may exit before everything is closed.
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ] as const)
      one.pipe(other).on('error', () => one.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    hosts,
    async [Symbol.asyncDispose]() {
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

test('default: an unmodifiable program is redirected to this server by HTTPS_PROXY and a certificate', async () => {
  await using anvil = await startAnvil()
  await using server = await startTestServer({
    rpc: [anvil.url],
    config: { aptos: { mainnet: { rest: 'http://127.0.0.1:1' } } },
  })
  await seedCoins(server.database.db, { coins: [seededCoin(1)], from: 0n, to: 10n })
  await using proxy = await startProxy(server.url)
  const folder = await mkdtemp(join(tmpdir(), 'mintmark-test-'))
  const authority = join(folder, 'authority.pem')
  await writeFile(authority, certificates.moralis)
  try {
    const program = join(import.meta.dirname, 'callMoralis.ts')
    const { stdout } = await promisify(execFile)(process.execPath, [program, testApiKey], {
      env: { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: authority },
    })
    expect(JSON.parse(stdout)).toMatchObject({ tag: 'proxy', coins: [{ name: 'Coin 1' }] })
  } finally {
    await rm(folder, { recursive: true })
  }
  expect(proxy.hosts).toEqual(['api.moralis-streams.com:443', 'aptos-mainnet.aws-prod-api-1.moralis.io:443'])
})
