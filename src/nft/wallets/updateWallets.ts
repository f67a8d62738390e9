import type { Database } from '../../db/database.ts'
import { defineLists, list } from '../../db/defineLists.ts'
import {
  lookUpKeys,
  onlyPartition,
  scanIndexes,
  type Within,
  within,
  withStagingTables,
} from '../../db/staging/stagingTables.ts'
import { partitionSql } from '../../sync/partition.ts'
import type { Standards } from '../transfers/decodeTransfers.ts'
import { tokenFacts } from '../transfers/tokenFacts.ts'
import { sameToken, tokenHashSql } from '../transfers/tokenHash.ts'
import { byErc1155, zeroBytes } from '../transfers/transfer.ts'
import { changeQueue, collectionKey, processLocked } from './lockCollections.ts'
import type { PendingUpdate } from './walletUpdates.ts'
import { deleteEmpty, sameWallet, stageHeld, writeHeld } from './writeHeld.ts'
import { moved, updateKey, updateRows, writeMoved } from './writeMoved.ts'

/**
 * Processes queue rows: the wallets' transfers and tokens then match `transfer`, `token` and `balance`. Returns the number of processed rows. Skips
 * collections that another transaction works on, that were removed, or whose partition worker `worker` does not hold.
 *
 * Each statement sees earlier commits, so a concurrent merge may be partly visible. Its own queue row is not among these, and processing it later
 * corrects the rest. One transaction at a time works on a collection (`indexingLock`), and no two collections share rows, so nothing else waits here.
 *
 * Counts change by the rows that a statement wrote, not by those that it was about to write. If a node still has an in-doubt transaction, writing
 * waits for it, but reading does not see it.
 */
export async function updateWallets(db: Database, updates: readonly PendingUpdate[], worker: number): Promise<number> {
  const of = within(onlyPartition(updates))
  const stages = stagingOf(of)
  const done = await writeMoved(of, (insert) =>
    processLocked(db, updates, worker, async (tx, own, locked) => {
      const rows = updateKey.lists(own)
      await withStagingTables(tx, { stages: ['stage_wallet'] }, async () => {
        await tx.fresh.run(insert, rows)
        if (own.some(({ undone }) => undone)) {
          await tx.fresh.run(stageUndone(of), rows)
          await tx.script(lookUpKeys)
          await tx.fresh.run(deleteUndone)
          await tx.script(scanIndexes)
        }
        for (const standards of ['ERC721', 'ERC1155', 'both'] as const) {
          const touched = own.flatMap((row): ContractRow[] => {
            const contract = locked.get(row.collectionId)!
            return contract.standards === standards ? [{ ...row, address: contract.address }] : []
          })
          const kind = touched.some(({ undone }) => undone) ? 'undone' : 'moved'
          if (touched.length > 0) await tx.fresh.run(stages[standards][kind], contractKey.lists(touched))
        }
        await tx.script(lookUpKeys)
        await tx.fresh.run(writeHeld, collectionKey.lists([...locked.values()]))
        await tx.fresh.run(deleteEmpty)
      })
    }),
  )
  return done.length === 0 ? 0 : changeQueue(db, deleteUpdates(of), updateKey.lists(done))
}

type ContractRow = PendingUpdate & { address: Buffer }

const contractKey = defineLists<ContractRow>({
  partition: list.int2((row) => row.partition),
  collection_id: list.int8((row) => row.collectionId),
  id: list.int8((row) => row.id),
  address: list.bytea((row) => row.address),
})

/**
 * Undone transfers that no later block repeated: another block of the same number may have the same transfer at the same position. Read in the order
 * of the key's index: with the index of tokens, each lookup would read the whole collection.
 */
const stageUndone = (of: Within) => `
INSERT INTO stage_wallet (partition, chain_id, wallet, collection_id, position, item)
SELECT ${partitionSql('u.chain_id', 'u.wallet')}, u.chain_id, u.wallet, u.collection_id, u.position, u.item
FROM (
  SELECT u.*, (
      SELECT t.from_address = u.wallet OR t.to_address = u.wallet FROM (
        SELECT t.position, t.item, t.from_address, t.to_address FROM transfer t
        WHERE t.partition = u.partition AND t.collection_id = u.collection_id
          AND (t.position, t.item) >= (u.position, u.item) AND (t.position, t.item) <= (u.position, u.item)
        ORDER BY t.position, t.item LIMIT 1
      ) t WHERE t.position = u.position AND t.item = u.item
    ) AS is_there
  FROM (
    SELECT d.partition, d.chain_id, d.collection_id, unnest(d.undone_wallets) AS wallet, unnest(d.undone_positions) AS position, unnest(d.undone_items) AS item
    FROM ${updateRows(of)}
  ) u
) u
WHERE u.position IS NOT NULL AND u.is_there IS NOT TRUE`

const deleteUndone = `
DELETE FROM wallet_transfer h USING stage_wallet s
WHERE ${sameWallet('h', 's')} AND s.token_hash IS NULL AND h.position = s.position AND h.item = s.item`

/** The queue rows as `d`, with the addresses of their collections. */
const updatesOfContracts = (of: Within) => `${contractKey.unnest(1, 'k')}
  JOIN wallet_due d ON d.partition = k.partition AND d.collection_id = k.collection_id AND d.id = k.id${of('d')}`

/** Wallet and token of each undone transfer, as `u`. */
const undone = 'CROSS JOIN LATERAL unnest(d.undone_wallets, d.undone_tokens) AS u (wallet, token_hash)'

const movedHash = tokenHashSql('k.address', 't.token_id')

/** Moved tokens with senders and recipients, except the zero address. */
const movedTokens = (of: Within) => `
SELECT d.partition, d.collection_id, d.chain_id, ${movedHash} AS token_hash, d.id, t.token_id, min(t.position) AS position,
  array_agg(t.from_address) FILTER (WHERE t.from_address <> ${zeroBytes}) AS givers,
  array_agg(t.to_address) FILTER (WHERE t.to_address <> ${zeroBytes}) AS receivers
FROM ${updatesOfContracts(of)} JOIN ${moved}
GROUP BY d.partition, d.collection_id, d.chain_id, token_hash, d.id, t.token_id`

const undoneTokens = (of: Within) => `
SELECT d.partition, d.collection_id, d.chain_id, u.token_hash, NULL::bigint, NULL::numeric, NULL::bigint, NULL::bytea[], array_agg(u.wallet)
FROM ${updatesOfContracts(of)} ${undone}
GROUP BY d.partition, d.collection_id, d.chain_id, u.token_hash`

/**
 * The wallets of each moved ERC-721 token: sender, recipient, and current owner. A contract that violates the standard may transfer a token that its
 * holder did not send. So the recipient before the first of these transfers is included: whichever transfer took a token from a wallet follows the
 * one that gave it, and was queued. That recipient is found by (token_id, position) as one value, which only the index transfer_token has in its
 * order: one row per token.
 */
const stageOwned = (tokens: string) =>
  stageHeld(
    touchedTokens(tokens),
    'CASE WHEN t.wallet = t.owner AND t.amount > 0 THEN 1 END',
    `CASE WHEN t.wallet = t.owner AND t.amount > 0 THEN ${tokenFacts} END`,
  )

/**
 * The same with both standards, including senders and recipients of amounts. The former owners of a token that became an ERC-1155 one were queued at
 * that time (`noteConverted`). Transfers of zero may precede the first one.
 */
const stageEach = (tokens: string) =>
  stageHeld(
    touchedTokens(tokens, {
      hasGivers: ' AND NOT t.erc1155',
      gave: ` AND (b.token_id, b.position) >= (f.token_id, 0) AND NOT ${byErc1155('b')}`,
    }),
    `CASE
    WHEN t.erc1155 THEN (SELECT b.amount FROM balance b WHERE ${sameToken('b', 't')} AND b.holder = t.wallet AND b.amount > 0)
    WHEN t.wallet = t.owner AND t.amount > 0 THEN 1 END`,
    `CASE WHEN NOT t.erc1155 AND t.wallet = t.owner AND t.amount > 0 THEN ${tokenFacts} END`,
  )

/** Rows of tokens, each with one of its wallets. `gave`: SQL of earlier transfers that may have given it; `hasGivers`: tokens with such transfers. */
function touchedTokens(tokens: string, { hasGivers, gave } = { hasGivers: '', gave: '' }): string {
  return `(
  SELECT f.partition, f.collection_id, f.chain_id, f.token_hash, t.owner, t.amount, t.last_position, t.first_position, t.minted_position, t.minter, t.token_id, t.erc1155,
    unnest(f.givers || f.receivers || CASE WHEN t.owner = ANY (f.receivers) THEN NULL ELSE ARRAY[t.owner] END
      || CASE WHEN f.position > t.first_position${hasGivers} THEN ARRAY(
        SELECT b.to_address FROM (
          SELECT b.token_id, b.to_address FROM transfer b
          WHERE b.partition = f.partition AND b.collection_id = f.collection_id AND (b.token_id, b.position) < (f.token_id, f.position)${gave}
          ORDER BY b.token_id DESC, b.position DESC, b.item DESC LIMIT 1
        ) b WHERE b.token_id = f.token_id
      ) END) AS wallet
  FROM (${tokens}) f LEFT JOIN token t ON ${sameToken('t', 'f')}
) t`
}

/** Senders and recipients of ERC-1155 tokens. */
const movedErc1155 = (of: Within) => `
SELECT d.partition, d.collection_id, d.chain_id, ${movedHash} AS token_hash, side.wallet
FROM ${updatesOfContracts(of)} JOIN ${moved}
CROSS JOIN LATERAL (VALUES (t.from_address), (t.to_address)) AS side (wallet)`

const undoneErc1155 = (of: Within) => `
SELECT d.partition, d.collection_id, d.chain_id, u.token_hash, u.wallet FROM ${updatesOfContracts(of)} ${undone}`

/**
 * Unique pairs of wallet and token, before balances are looked up: a plan that joins balances with transfers may read all balances of a collection
 * for each.
 */
const stageSummed = (touched: string) =>
  stageHeld(
    `(
  SELECT t.*, (SELECT b.amount FROM balance b WHERE ${sameToken('b', 't')} AND b.holder = t.wallet AND b.amount > 0) AS amount
  FROM (SELECT DISTINCT * FROM (${touched}) t) t
) t`,
    't.amount',
    'NULL::bytea',
  )

/** By standards: staging of moved tokens, and of moved and undone ones. */
const stagingOf = (of: Within): Record<Standards, { moved: string; undone: string }> => ({
  ERC721: {
    moved: stageOwned(movedTokens(of)),
    undone: stageOwned(`${movedTokens(of)} UNION ALL ${undoneTokens(of)}`),
  },
  ERC1155: {
    moved: stageSummed(movedErc1155(of)),
    undone: stageSummed(`${movedErc1155(of)} UNION ALL ${undoneErc1155(of)}`),
  },
  both: {
    moved: stageEach(movedTokens(of)),
    undone: stageEach(`${movedTokens(of)} UNION ALL ${undoneTokens(of)}`),
  },
})

/** Rows of a collection that was removed since `lockCollections` stay, as its removal needs them to find the wallets. */
const deleteUpdates = (of: Within) => `
DELETE FROM wallet_due d USING ${updateKey.unnest(1, 'k')}
WHERE d.partition = k.partition AND d.collection_id = k.collection_id AND d.id = k.id${of('d')}
  AND EXISTS (SELECT 1 FROM collection c WHERE c.partition = d.partition AND c.id = d.collection_id)`
