import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { coinTypeHash } from '../../src/coin/decode/coin.ts'
import { createCoinQuery } from '../../src/coin/pages/createCoinQuery.ts'
import { createTestDatabase } from '../database.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { createAptosChain } from './aptosChain.ts'
import { startFakeFullnode } from './fakeFullnode.ts'
import { record, runImport } from './importFile.ts'
import { inventTransaction } from './inventedTransaction.ts'

test('behavior: an API response with fungible assets is imported as it is, and a coin is paired with its asset', async () => {
  const one = record('0xa::b::C', 1)
  const address = `0x${'5a'.padStart(64, '0')}`
  const asset = {
    ...record(address, 3, 'Asset'),
    ...{ creator_address: '0xb', token_standard: 'v2', asset_type: address, supply: '7', maximum_supply: null },
    ...{
      icon_uri: `https://icons.example/${'\u{1f98a}'.repeat(200)}`,
      project_uri: '',
      paired_coin_type: one.coin_type,
    },
  }
  const counted = { ...one, supply_aggregator_table_handle: '0x1b', supply_aggregator_table_key: '0x61' }
  const chain = createAptosChain({ chainId: 1 })
  for (let version = 0; version < 10; version++) chain.add(inventTransaction({}))
  const node = await startFakeFullnode({ chain })
  const { db, url, drop } = await createTestDatabase()
  onTestFinished(drop)
  const file = join(await temporaryFolder(), 'coins')
  await writeFile(file, JSON.stringify({ cursor: null, hasNextPage: false, result: [asset, counted] }))
  expect(JSON.parse((await runImport({ url, node: node.url }, file)).out)).toMatchObject({ read: 2, added: 2 })
  const query = createCoinQuery({ db })
  const state = (await query.network('mainnet'))!
  const { records } = await query.latest({ state, after: null, offset: 0, limit: 9, standard: 'all' })
  expect(records.map((text) => JSON.parse(text))).toMatchObject([
    {
      ...{ coin_type: address, coin_type_hash: coinTypeHash(address), creator_address: `0x${'b'.padStart(64, '0')}` },
      ...{ token_standard: 'v2', paired_coin_type: one.coin_type, project_uri: '', supply: null },
      icon_uri: `https://icons.example/${'\u{1f98a}'.repeat(122)}`,
    },
    { coin_type: one.coin_type, token_standard: 'v1', paired_asset_type: address },
  ])
})
