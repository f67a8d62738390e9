import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { partitionOf } from '../../src/sync/partition.ts'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil } from '../anvil.ts'
import { runCommand } from '../commandLine.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { startImageHost } from '../imageHost.ts'
import { startTestServer } from '../mintmark.ts'
import { system } from '../system.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

const recorded = fileURLToPath(new URL('../../../shared/data/evm/lists/', import.meta.url))

test('behavior: lists and rules decide on spam, the operator overrides them, and status shows the reasons', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  await using host = await startImageHost({ images: () => ({ 0: undefined, 1: undefined }), files: {} })
  const [holder] = anvil.accounts as [Address]
  const deploy = async (name: string) => {
    const address = await anvil.deploy(plain721, [name, 'NFT', `${host.url}/`])
    await anvil.send({ to: address, abi: plain721.abi, functionName: 'mintBatch', args: [holder, 0n, 3n] })
    return address
  }
  const [listed, verified, plain, begging] = [
    await deploy('Listed'),
    await deploy('Verified'),
    await deploy('Plain'),
    await deploy('Claim 5000$ at usdc-gift.com'),
  ] as const
  await anvil.mine(10)
  const folder = await temporaryFolder()
  const lists = { spam: [join(folder, 'spam.yaml')], verified: [join(folder, 'good.json')] }
  await writeFile(lists.spam[0]!, `---\nSpamContracts:\n- 31337/${listed}/31\n- 1/${plain}/31\n`)
  const tokens = [{ chainId: 31337, address: verified.toUpperCase().replace('X', 'x') }]
  await writeFile(lists.verified[0]!, JSON.stringify({ name: 'good', tokens }))
  await using server = await startTestServer({
    rpc: [anvil.url],
    config: { lists, outbound: { allow: ['127.0.0.1'] }, pageCache: { freshMs: 0 } },
  })
  const flags = async (address: Address) => {
    const [record] = (await server.page(address, { limit: 1 })).body.result as unknown as Record<string, boolean>[]
    return record && [record.possible_spam, record.verified_collection]
  }
  for (const address of [listed, verified, plain, begging]) await server.untilSynced(address, await anvil.blockNumber())
  await expect.poll(() => flags(listed)).toEqual([true, false])
  await expect.poll(() => flags(verified)).toEqual([false, true])
  await expect.poll(() => flags(begging)).toEqual([true, false])
  // The list contains it only on another chain.
  expect(await flags(plain)).toEqual([false, false])

  const configFile = join(folder, 'mintmark.config.json')
  await writeFile(
    configFile,
    JSON.stringify({ databaseUrl: server.database.url, chains: { local: { id: '0x7a69', rpc: [anvil.url] } } }),
  )
  const mintmark = async (...args: string[]) => {
    const { code, out, err } = await runCommand([...args, '--config', configFile])
    expect(code, err).toBe(0)
    return out
  }
  const output = await mintmark('status', 'local', listed)
  expect(output).toContain('possible spam: yes; score')
  expect(output).toContain(`on the list ${lists.spam[0]}`)
  expect(output).toMatch(/metadata: 2 ok, 1 failed, 0 permanent; 1 due\n {2}1 × .*404/)
  expect(await mintmark('status', 'local', begging)).toMatch(/name-link \+35: .*usdc-gift\.com/)

  await mintmark('flag', 'local', listed, '--spam', 'no', '--verified', 'yes')
  expect(await flags(listed)).toEqual([false, true])
  expect(await mintmark('status', 'local', listed)).toContain('possible spam: no (operator override)')
  await mintmark('flag', 'local', plain, '--spam', 'yes')
  expect(await flags(plain)).toEqual([true, false])
  await mintmark('flag', 'local', listed, '--spam', 'auto')
  expect(await flags(listed)).toEqual([true, true])
  const json = JSON.parse(await mintmark('status', 'local', listed, '--json'))
  expect(json.verdict).toMatchObject({ possibleSpam: true, verified: true, spamOverride: null, verifiedOverride: true })
  expect(json.metadata).toMatchObject({ ok: '2', failed: '1' })
})

test.skipIf(!existsSync(recorded))(
  'behavior: recorded spam and verified lists are read in their published formats (skipped without them)',
  system,
  async () => {
    const spam = join(recorded, 'goldrush_gnosis_nft_spam.yaml.gz')
    const good = join(recorded, 'sequence_polygon_erc721.json.gz')
    const [, spamAddress] = /100\/(0x[0-9a-f]{40})/.exec(gunzipSync(readFileSync(spam)).toString())!
    const goodAddress = JSON.parse(gunzipSync(readFileSync(good)).toString()).tokens[0].address.toLowerCase() as Address
    await using anvil = await startAnvil({})
    await using server = await startTestServer({
      rpc: [anvil.url],
      config: { lists: { spam: [spam], verified: [good] } },
    })
    const { db } = server.database
    for (const [chain, address] of [
      [100n, spamAddress as Address],
      [137n, goodAddress],
    ] as const)
      await db.run(
        `INSERT INTO collection (partition, chain_id, address, status, standard) VALUES ($1, $2, $3, 'live', 'ERC721')`,
        [partitionOf(chain, address), chain, Buffer.from(address.slice(2), 'hex')],
      )
    await expect
      .poll(() => db.rows('SELECT chain_id, possible_spam, verified FROM collection ORDER BY chain_id'))
      .toEqual([
        [100n, true, false],
        [137n, false, true],
      ])
  },
)
