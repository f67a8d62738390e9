import { expect, onTestFinished, test, vi } from 'vitest'
import { readWalletCoverage } from '../../src/nft/wallets/readWalletCoverage.ts'
import { type Address, hexToBuffer } from '../../src/util/hex.ts'
import { startAnvil, toTransaction } from '../anvil.ts'
import { runCommand } from '../commandLine.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { createTestDatabase } from '../database.ts'
import { startTestServer } from '../mintmark.ts'
import { patience } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { system } from '../system.ts'
import { expectWalletTruth } from '../walletTruth.ts'
import { expectTruth } from './ownership.ts'

const chainId = 0x7a69n

test(
  'behavior: two processes keep wallets current across reorganisations, reindexing and removal',
  system,
  async () => {
    const random = createRandom(freshSeed())
    process.stdout.write(`seed ${random.seed}\n`)
    await using anvil = await startAnvil({ slotsInAnEpoch: 8 })
    const erc721 = [
      await anvil.deploy(plain721, ['Ones', 'ONE', '']),
      await anvil.deploy(plain721, ['Twos', 'TWO', '']),
    ]
    const erc1155 = [await anvil.deploy(plain1155, ['Many', 'MNY'])]
    const contracts = [...erc721, ...erc1155]
    await randomActivity(anvil, { erc721, erc1155 }, random, 40)
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    const { db, url } = database
    await using one = await startTestServer({ rpc: [anvil.url], database })
    await using two = await startTestServer({ rpc: [anvil.url], database })

    /** Expects tokens and transfers to match the chain, and wallets to have and report exactly these. */
    async function expectAll(addresses: readonly Address[]): Promise<void> {
      for (const address of addresses) await expectTruth({ anvil, client: random.pick([one, two]) }, address)
      const toBlock = await anvil.blockNumber()
      await vi.waitFor(async () => {
        expect(await readWalletCoverage(db, chainId)).toMatchObject({
          collections: addresses.length,
          toBlock,
          incomplete: 0,
        })
        await expectWalletTruth(db)
      }, patience)
    }

    await expectAll(contracts)
    const [holder] = anvil.accounts as [Address]
    for (let round = 0; round < 4; round++) {
      await randomActivity(anvil, { erc721, erc1155 }, random, 5)
      if (random.chance(0.5)) await expectAll(contracts)
      const mint = {
        to: random.pick(erc721),
        abi: plain721.abi,
        functionName: 'mint',
        args: [holder, random.uint256()],
      }
      await anvil.reorg(1 + random.int(10), [[toTransaction(mint), 0]])
      await anvil.mine(1)
    }
    await expectAll(contracts)

    const [, removed, woken] = contracts as [Address, Address, Address]
    const change = (what: string, address: Address) =>
      runCommand(['collections', what, 'local', address, '--yes', '--database-url', url])
    expect((await change('reindex', woken)).code).toBe(0)
    expect((await change('delete', removed)).code).toBe(0)
    await expectAll(contracts.filter((address) => address !== removed))
    const ids = 'SELECT id FROM collection WHERE address = $1'
    const [[id] = []] = await db.rows(ids, [hexToBuffer(woken)])
    expect(await db.rows('SELECT 1 FROM wallet_collection WHERE collection_id = $1 LIMIT 1', [id])).toHaveLength(1)
  },
)
