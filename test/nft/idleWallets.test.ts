// @module-tag system

import { expect, test } from 'vitest'
import { retireUnasked } from '../../src/nft/walletHistory/maintainWallets.ts'
import type { Address } from '../../src/util/hex.ts'
import { startAnvil, toTransaction } from '../anvil.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { startTestServer } from '../mintmark.ts'
import { patienceMs } from '../patience.ts'
import { createRandom, freshSeed } from '../random.ts'
import { randomActivity } from '../randomActivity.ts'
import { expectAnswers } from './wholeTruth.ts'

const chainId = 31_337n
const keepDays = 30

test.each([
  ['while another wallet is followed', 2],
  ['while nothing of the chain is followed', 1],
])(
  'behavior: a wallet not requested for wallets.keepDays goes idle, and requested again %s it catches up and matches the chain',
  async (_, count) => {
    const random = createRandom(freshSeed())
    process.stdout.write(`seed ${random.seed}\n`)
    await using anvil = await startAnvil({ slotsInAnEpoch: 6 })
    const contracts = {
      erc721: [await anvil.deploy(plain721, ['Moves', 'MOV', ''])],
      erc1155: [await anvil.deploy(plain1155, ['Many', 'MNY'])],
    }
    const mint = { to: contracts.erc721[0]!, abi: plain721.abi, functionName: 'mint' } as const
    await randomActivity(anvil, contracts, random, 30)
    await using server = await startTestServer({
      rpc: [anvil.url],
      config: { chains: { local: { wallets: 'chain' } }, wallets: { keepDays } },
    })
    const { db } = server.database
    const wallets = anvil.accounts.slice(0, count) as [Address, ...Address[]]
    const [idle] = wallets
    await expectAnswers(anvil, server, contracts, wallets)

    const retire = () => retireUnasked(db, { held: () => new Set([chainId]) }, keepDays)
    // The wallets were requested in parallel, so their ids have no particular order.
    async function statuses(): Promise<(string | undefined)[]> {
      const rows = await db.rows<[string, string]>(`SELECT '0x' || encode(address, 'hex'), status FROM wallet`)
      const byAddress = new Map(rows)
      return wallets.map((wallet) => byAddress.get(wallet.toLowerCase()))
    }
    await db.run(`UPDATE wallet SET asked_at = now() - interval '29 days'`)
    await retire()
    expect(await statuses()).toEqual(wallets.map(() => 'live'))
    await db.run(`UPDATE wallet SET asked_at = now() - interval '31 days' WHERE address = $1`, [
      Buffer.from(idle.slice(2), 'hex'),
    ])
    await retire()
    expect(await statuses()).toEqual(wallets.map((wallet) => (wallet === idle ? 'idle' : 'live')))
    const read = () => db.rows<[bigint, bigint]>(`SELECT to_block, transfers FROM wallet WHERE status = 'idle'`)
    const [[stopped]] = (await read()) as [[bigint, bigint]]

    // Meanwhile, blocks with its transfers are undone and replaced.
    await anvil.reorg(4, [[toTransaction({ ...mint, args: [idle, random.uint256()] }), 0]])
    await randomActivity(anvil, contracts, random, 20)
    await anvil.send({ ...mint, args: [idle, random.uint256()] })
    if (count > 1) await expectAnswers(anvil, server, contracts, wallets.slice(1))
    expect((await read())[0]![0]).toBe(stopped)

    const first = await server.get(`/api/v2/${idle}/nft?chain=local`)
    expect(await first.json()).toMatchObject({ status: 'SYNCING' })
    expect(Number(first.headers.get('x-index-to-block'))).toBeGreaterThanOrEqual(Number(stopped))
    await expectAnswers(anvil, server, contracts, wallets)
    await expect.poll(statuses, { timeout: patienceMs }).toEqual(wallets.map(() => 'live'))
  },
)
