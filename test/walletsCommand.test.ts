// @module-tag system

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Address } from '../src/util/hex.ts'
import { startAnvil } from './anvil.ts'
import { runCommand } from './commandLine.ts'
import { plain721 } from './contracts/artifacts/plain721.ts'
import { plain1155 } from './contracts/artifacts/plain1155.ts'
import { startTestServer } from './mintmark.ts'
import { patienceMs } from './patience.ts'
import { createRandom, freshSeed } from './random.ts'
import { randomActivity } from './randomActivity.ts'
import { scratchFolder } from './scratchFolder.ts'

test('default: the wallets commands request, list, show, verify and remove wallets', async () => {
  await using anvil = await startAnvil({ slotsInAnEpoch: 4 })
  const contracts = {
    erc721: [await anvil.deploy(plain721, ['Moves', 'MOV', ''])],
    erc1155: [await anvil.deploy(plain1155, ['Many', 'MNY'])],
  }
  await randomActivity(anvil, contracts, createRandom(freshSeed()), 20)
  // Whatever the random activity was, the wallet now holds tokens of both contracts, and its last transfer is a mint.
  const [holder] = anvil.accounts as [Address]
  await anvil.send({ to: contracts.erc1155[0]!, abi: plain1155.abi, functionName: 'mint', args: [holder, 900n, 3n] })
  await anvil.send({ to: contracts.erc721[0]!, abi: plain721.abi, functionName: 'mint', args: [holder, 900n] })
  await using server = await startTestServer({
    rpc: [anvil.url],
    config: { chains: { local: { wallets: 'chain' } } },
  })
  const [wallet, other] = anvil.accounts as [Address, Address]
  const { db } = server.database
  const url = ['--database-url', server.database.url]
  const folder = await scratchFolder('wallets-')
  const file = join(folder, 'wallets.csv')
  await writeFile(
    file,
    `address,name\n${wallet},first\n"${other.toUpperCase().replace('X', 'x')}",second\n0x${'0'.repeat(36)}dEaD,burned\n\n# nobody\n`,
  )
  const output = await runCommand(['wallets', 'index', 'local', '--from', file, ...url])
  expect([output.code, output.out]).toEqual([0, '2 wallets of local requested\n'])
  expect(output.err).toContain('burn addresses, which are not requested: 1\n')
  const live = () => db.rows(`SELECT count(*) FROM wallet WHERE status = 'live'`)
  await expect.poll(live, { timeout: patienceMs }).toEqual([[2n]])
  const listed = await runCommand(['wallets', 'list', '--chain', 'local', '--status', 'live', ...url])
  expect(listed.out).toMatch(new RegExp(`local +${wallet} +live`))
  const shown = await runCommand(['wallets', 'show', 'local', wallet, ...url])
  expect(shown.out).toMatch(/: live\nblocks 0 to \d+ of \d+\n\d+ tokens of [0-2] contracts, \d+ transfers\n$/)
  const verify = ['verify', 'local', '--wallet', wallet, '--rpc', anvil.url, ...url]
  const verified = await runCommand(verify)
  expect([verified.code, verified.out]).toEqual([0, expect.stringContaining('all agree')])
  await db.run(
    `DELETE FROM wallet_move WHERE position = (
       SELECT max(m.position) FROM wallet_move m JOIN wallet w ON w.id = m.wallet_id WHERE w.address = decode($1, 'hex'))`,
    [wallet.slice(2)],
  )
  const differing = await runCommand(verify)
  expect(differing.code).not.toBe(0)
  expect(differing.out).toContain('missing transfer')
  await expect.poll(() => db.rows(`SELECT count(*) FROM collection WHERE status = 'known'`)).toEqual([[2n]])
  const known = await runCommand(['collections', 'list', '--known', ...url])
  expect(known.out).toMatch(new RegExp(`local +${contracts.erc1155[0]} +ERC1155 +- +no`))
  const removed = await runCommand(['wallets', 'remove', 'local', wallet, '--yes', ...url])
  expect([removed.code, removed.out]).toEqual([0, `${wallet} of local is removed\n`])
  const deleted = await runCommand(['wallets', 'show', 'local', wallet, ...url])
  expect([deleted.code === 0, deleted.err]).toEqual([
    false,
    expect.stringContaining('is not indexed over all contracts'),
  ])
})

test('default: index --from requests the contracts of a file, and reports the line of an invalid address', async () => {
  await using anvil = await startAnvil()
  await using server = await startTestServer({ rpc: [anvil.url] })
  const url = ['--database-url', server.database.url]
  const folder = await scratchFolder('contracts-')
  const file = join(folder, 'contracts.txt')
  const addresses = Array.from({ length: 150 }, (_, i) => `0x${(i + 1).toString(16).padStart(40, '0')}`)
  await writeFile(file, addresses.join('\n'))
  const output = await runCommand(['index', 'local', '--from', file, ...url])
  expect([output.code, output.out]).toEqual([0, '150 contracts of local requested\n'])
  const again = await runCommand(['index', 'local', '--from', file, '--json', ...url])
  expect([again.code, JSON.parse(again.out)]).toEqual([0, { chain: 'local', requested: 150 }])
  await writeFile(file, `${addresses[0]}\n0x12\n`)
  const rejected = await runCommand(['index', 'local', '--from', file, ...url])
  expect(rejected.code).not.toBe(0)
  expect(rejected.err).toContain(`line 2 of ${file} is not an address; allowed: 0x and 40 hex digits, one per line`)
})
