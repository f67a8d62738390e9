import { createDatabase } from '../src/db/database.ts'
import { silentLog } from '../src/util/log.ts'
import { addPreviews } from './addPreviews.ts'
import { startChild } from './child.ts'
import { manyDocuments, startMeasuredCollection } from './measuredCollection.ts'
import { benchChain, benchKey, embeddedPoolSize, untilTried } from './measuredService.ts'
import { request } from 'undici'
import { cpuSeconds, cpuSecondsOfAll } from './cpuTime.ts'
const shape = { seed: 7, logs: 30_000, blocks: 40_000, mintShare: 1, holders: 200 }
const host = startChild('./documentHost.ts', { delayMs: 5, documents: 'kilobyte' })
const { url } = await host.next<{url:string}>()
const collection = await startMeasuredCollection({ shape, uris: { at: 'host', url } }, { pageCache: { maxBytes: 0 }, databasePoolSize: embeddedPoolSize, ...manyDocuments })
const { node, postgres, service } = collection
await untilTried(service.url, node.contract)
await addPreviews(postgres.connection)
const db = createDatabase({ connection: postgres.connection, poolSize: 1, log: silentLog })
const wallets = (await db.rows<[string]>(`SELECT '0x' || encode(wallet, 'hex') FROM wallet_collection WHERE tokens >= 100 ORDER BY wallet`)).flat()
const get = async (p: string) => { const r = await request(service.url + p, { headers: { 'x-api-key': benchKey } }); await r.body.text(); return r.statusCode }

const sides = [['own', (w: string) => `/api/v2/${w}/nft?chain=${benchChain.name}&normalizeMetadata=true&media_items=true`], ['dialect', (w: string) => `/alchemy/${benchChain.name}/nft/v3/-/getNFTsForOwner?owner=${w}`]] as const
for (let k = 0; k < 1; k++) for (const [what, path] of sides) {
    const [n, p, t] = [cpuSeconds(service.pid), cpuSecondsOfAll(postgres.pid), performance.now()]
    let i = 0
    const N = what === 'own' ? 1 : 4000
    await Promise.all(Array.from({ length: 8 }, async () => { while (i < N) await get(path(wallets[i++ % wallets.length]!)) }))
    console.log(what, ((performance.now() - t) / N).toFixed(2), 'ms', 'node', (1000 * (cpuSeconds(service.pid) - n) / N).toFixed(2), 'pg', (1000 * (cpuSecondsOfAll(postgres.pid) - p) / N).toFixed(2))
}
for (const part of [collection, host]) await part.stop()
