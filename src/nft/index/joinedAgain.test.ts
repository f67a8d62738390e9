import { expect, test } from 'vitest'
import { address, never, useCollectionsInParts } from '../../../test/collectionsInParts.ts'
import { createScriptedChain } from '../../../test/scriptedChain.ts'
import { tokenTopic } from '../../chain/evm/source/tokenEvents.ts'
import { releaseLive } from '../store/liveCollections.ts'

const t = useCollectionsInParts()

/** A chain whose last block also announces changed metadata of token 1. */
function createAnnouncingChain() {
  const chain = createScriptedChain(address, 0)
  const { logs } = chain.source
  chain.source.logs = async (range, signal) => {
    const answer = await logs(range, signal)
    if (!range.topics[0]?.includes(tokenTopic.metadataUpdate) || answer.to < chain.head()) return answer
    const data = `0x${'1'.padStart(64, '0')}` as const
    return {
      ...answer,
      logs: [{ ...chain.logs().at(-1)!, topics: [tokenTopic.metadataUpdate], data, logIndex: '0x9' }],
    }
  }
  return chain
}

test.each([1, 100])(
  'behavior: a collection that joins the head again reads metadata that changed meanwhile, in parts of %i',
  async (most) => {
    const { db } = t
    const chain = createAnnouncingChain()
    chain.add([])
    await t.addCollection(address)
    const follower = await t.follow(chain, most)
    await t.settle(follower)
    for (const token of [1, 2, 3, 4]) chain.add([{ token, from: 0, to: 1 }])
    await t.settle(follower)
    await db.run(
      `INSERT INTO token_metadata (partition, collection_id, token_hash, state, attempts, record, tried_at)
       SELECT partition, collection_id, token_hash, 'ok', 0, '', now() - interval '1 day' FROM token`,
    )
    await db.run('DELETE FROM metadata_due')
    await db.transaction((tx) => releaseLive(tx, 1n, chain.head()))
    // The next blocks are not final.
    chain.finalityDepth = 8
    const remade = [
      { token: 2, from: 1, to: 0 },
      { token: 2, from: 0, to: 2 },
    ]
    chain.add(remade)
    chain.add([{ token: 3, from: 1, to: 2 }])
    const again = await t.follow(chain, most)
    await t.settle(again)
    expect(await again.step(never)).toBe('idle')
    const due = await db.rows('SELECT token_id::int4 FROM metadata_due ORDER BY 1')
    expect(due.flat()).toEqual([1, 2])
  },
)
