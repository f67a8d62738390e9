import { type Database, joinByKeys } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import type { OpenChains } from '../../sync/openChains.ts'
import { createLru } from '../../util/createLru.ts'
import { UnavailableError } from '../../util/errors.ts'
import { type Address, bufferToHex, type Hex, hexToBuffer } from '../../util/hex.ts'
import { shareCalls } from '../../util/shareCalls.ts'
import { requestFromNode } from './requestFromNode.ts'

/**
 * The transaction of a collection's transfer; id 0: the contract is not stored yet, so its sender is only cached in
 * memory.
 */
export type SentTransaction = { partition: number; collectionId: bigint; hash: Hex }

/** Senders of the transactions of transfers. */
export type Senders = {
  /**
   * In the requested order; null: no node returns it now. Read once from nodes and stored: the sender of a hash is the
   * same on every fork.
   */
  read(chainId: bigint, requested: readonly SentTransaction[]): Promise<(Address | null)[]>
}

/** Senders cached in memory, 0.2 kB each. */
const mostKept = 50_000

const requested = defineLists<SentTransaction>({
  partition: list.int2(({ partition }) => partition),
  collection_id: list.int8(({ collectionId }) => collectionId),
  transaction_hash: list.bytea(({ hash }) => hexToBuffer(hash)),
})

const selectStored = `
SELECT s.transaction_hash, s.sender FROM ${requested.unnest(1, 'a')}
JOIN transaction_sender s USING (${requested.columns}) WHERE s.partition = ANY($1::int2[])`

/** Writes nothing if the collection was removed meanwhile. */
const insertStored = `
INSERT INTO transaction_sender (partition, collection_id, transaction_hash, sender)
SELECT c.partition, c.id, v.hash, v.sender FROM collection c CROSS JOIN unnest($3::bytea[], $4::bytea[]) AS v (hash, sender)
WHERE c.partition = $1 AND c.id = $2 ORDER BY v.hash ON CONFLICT DO NOTHING`

/** `db`: stores them. */
export function createSenders({ db, openChains }: { db: Database; openChains: Pick<OpenChains, 'open'> }): Senders {
  const kept = createLru<Hex, Address>(mostKept)
  /** Concurrent requests for the same page share a read. */
  const shared = shareCalls<void>()
  const unknownOf = (all: readonly SentTransaction[]) => [
    ...new Map(all.flatMap((one) => (kept.has(one.hash) ? [] : [[one.hash, one]]))).values(),
  ]

  async function load(missing: readonly SentTransaction[]): Promise<void> {
    const rows = await db.transaction(
      (tx) => tx.rows<[hash: Buffer, sender: Buffer]>(selectStored, requested.lists(missing)),
      joinByKeys,
    )
    for (const [hash, sender] of rows) kept.set(bufferToHex(hash), bufferToHex(sender))
  }

  async function request(chainId: bigint, missing: readonly SentTransaction[]): Promise<void> {
    const hashes = missing.map(({ hash }) => hash)
    const found = await requestFromNode(openChains, chainId, 'the senders of transactions', (source, signal) =>
      source.senders(hashes, signal),
    )
    const sent = missing.flatMap((one, i) => (found[i] ? [{ ...one, sender: found[i] }] : []))
    for (const { hash, sender } of sent) kept.set(hash, sender)
    const byCollection = Map.groupBy(sent, ({ partition, collectionId }) => `${partition} ${collectionId}`)
    for (const group of byCollection.values())
      await db.run(insertStored, [
        ...[group[0]!.partition, group[0]!.collectionId],
        ...[group.map(({ hash }) => hexToBuffer(hash)), group.map(({ sender }) => hexToBuffer(sender))],
      ])
  }

  async function fill(chainId: bigint, missing: readonly SentTransaction[]): Promise<void> {
    await load(missing)
    const unread = unknownOf(missing)
    if (unread.length > 0) await request(chainId, unread)
  }

  return {
    async read(chainId, all) {
      const missing = unknownOf(all)
      if (missing.length > 0) {
        const name = `${chainId} ${missing.map(({ hash }) => hash).join()}`
        // Stored senders need no node.
        await shared(name, () => fill(chainId, missing)).catch((error: unknown) => {
          if (!(error instanceof UnavailableError)) throw error
        })
      }
      return all.map(({ hash }) => kept.get(hash) ?? null)
    },
  }
}
