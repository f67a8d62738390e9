import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.ts'
import type { Address } from '../../util/hex.ts'
import { takeMetadataSlices } from '../metadata/store/metadataStore.ts'
import { endWithout, takeSlices } from './collectionStore.ts'
import { createDemand } from './createDemand.ts'
import { insertKnown, postponeNames, readUnnamed, requestNames } from './knownContracts.ts'

const address: Address = `0x${'a1'.repeat(20)}`
const partitions = Array.from({ length: 256 }, (_, i) => BigInt(i))

test('behavior: a known contract that is queued keeps its standard for pages, until its contract is checked; indexing ignores it', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  const standard = async () => (await db.rows('SELECT status, standard FROM collection'))[0]
  await insertKnown(db, 1n, [{ address, standard: 'ERC721' }], { discovered: false })
  const demand = createDemand({ db, chainIds: [], maxQueuedPerKey: 10, maxQueued: 10 })
  await demand.request(1n, [address], 0n)
  expect(await standard()).toEqual(['queued', 'ERC721'])
  const served = { partitions, chains: [1n], lent: new Map() }
  const [due] = await takeSlices(db, { served, chain: 1n, except: [], limit: 1 })
  expect(due).toMatchObject({ address, status: 'queued', form: null })
  await db.run('UPDATE collection SET metadata_due_at = now()')
  expect(await takeMetadataSlices(db, { served, except: [], limit: 1 })).toEqual([])
  await endWithout(db, due!, 'nocode')
  expect(await standard()).toEqual(['nocode', null])
})

test('behavior: a known contract whose names could not be read is indexed at once', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database.drop())
  const { db } = database
  await requestNames(db, 1n, [{ address, standard: 'ERC721' }], { discovered: false })
  const [unnamed] = await readUnnamed(db, partitions, 1)
  await postponeNames(db, unnamed!, 86_400)
  await createDemand({ db, chainIds: [], maxQueuedPerKey: 10, maxQueued: 10 }).request(1n, [address], 0n)
  const served = { partitions, chains: [1n], lent: new Map() }
  const [due] = await takeSlices(db, { served, chain: 1n, except: [], limit: 1 })
  expect(due).toMatchObject({ address, attempts: 0 })
})
