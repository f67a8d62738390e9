import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A bug to plant in the product's code: `put` replaces `find` in `file` of `src/`. `breaks`: the message of the check that must find it.
 * `wallets`: the scope of wallets.
 */
export type Plant = {
  name: string
  file: string
  find: string
  put: string
  breaks: RegExp
  wallets?: 'chain'
}

/** Kinds of bugs that happened, or nearly did. A check that cannot fail would miss them. */
export const plants: readonly Plant[] = [
  {
    name: 'a reorg keeps the transfers of its first block',
    file: 'nft/store/revertTransfers.ts',
    find: 'from: firstPlaceOf(fork + 1n) }, whole)',
    put: 'from: firstPlaceOf(fork + 2n) }, whole)',
    breaks: /^(?:1 state|2 coverage|5 mixed|6 help): /,
  },
  {
    name: 'a reorg keeps the former holders',
    file: 'nft/store/revertTransfers.ts',
    find: 'await tx.fresh.run(mergeBalances(of))',
    put: '',
    breaks: /^(?:1 state|5 mixed): /,
  },
  {
    name: 'wallets keep tokens that a reorg removed',
    file: 'nft/store/revertTransfers.ts',
    find: 'await noteUndone(tx, { chainId, keptBlock: fork, from }, undone)',
    put: '',
    breaks: /^(?:1 state|5 mixed): /,
  },
  {
    name: 'wallets over a whole chain keep tokens that a reorg removed',
    file: 'nft/walletHistory/undoMoves.ts',
    find: 'await tx.fresh.run(undo.delete, values)',
    put: '',
    breaks: /^1 state: of 0x/,
    wallets: 'chain',
  },
  {
    name: '`as_of_block` shows the state of the block before',
    file: 'nft/asOf/stateAt.ts',
    find: 'w.erc1155 WHERE w.last_position <= $3',
    put: 'w.erc1155 WHERE w.last_position < $3 - 1048576',
    breaks: /^1 state: .* block/,
  },
  {
    name: 'coverage claims a block whose logs were not stored',
    file: 'nft/index/readHistory.ts',
    find: 'return { batch: explained ? { ...prepare(logs, prepared), announced } : undefined, to }',
    put: 'return { batch: explained ? { ...prepare(logs.filter(({ blockNumber }) => blockNumber < to)), announced } : undefined, to }',
    // A reader of an earlier state, or of a page, may find it first.
    breaks: /^(?:2 coverage: .* covers block|1 state: .* at block|5 mixed: .* of no block)/,
  },
  {
    name: 'a page mixes two states',
    file: 'nft/pages/rows/syncPosition.ts',
    find: 'if (now?.version !== version || now.block !== partsOf(state.syncPosition).block) throw moved()',
    put: 'if (now === null) throw moved()',
    breaks: /^5 mixed: /,
  },
  {
    name: 'a page repeats the last token of the page before',
    file: 'nft/pages/pageSql.ts',
    find: 't.token_hash < $5 ORDER BY',
    put: 't.token_hash <= $5 ORDER BY',
    breaks: /^(?:4 paging|1 state): /,
  },
  {
    name: 'a retraction is dropped',
    file: 'stream/ledger/retractWebhooks.ts',
    find: 'return [...named.values()].map((webhook) => ({',
    put: 'return [...named.values()].slice(0, -1).map((webhook) => ({',
    breaks: /^3 streams: .*(?:none of the chain|came after)/,
  },
  {
    name: 'webhooks share one id',
    file: 'stream/delivery/attempt/createAttempt.ts',
    find: 'id: webhook.id,',
    put: 'id: webhook.id.slice(0, 2) + webhook.id.slice(2).replaceAll(/[0-9a-f]/g, "0"),',
    // The id also differs from the one in the ledger.
    breaks:
      /^(?:3 streams: (?:the id .* names two bodies|.* is not in its ledger)|4 paging: a walk through the webhooks)/,
  },
  {
    name: 'one attempt in fifty is made twice',
    file: 'stream/delivery/attempt/createAttempt.ts',
    find: 'const answer = await client.post(target.url,',
    put: `if (Math.random() < 0.02) await client.post(target.url, sent, headers, { signal, maySend, timeoutMs: settings.timeoutMs })
      const answer = await client.post(target.url,`,
    breaks: /^3 streams: .* without a crash/,
  },
  {
    name: 'a counter is off by one',
    file: 'stream/ledger/settleAttempts.ts',
    find: 'for (const attempt of failed) tallyOf(attempt).failed += 1',
    put: 'for (const attempt of failed) tallyOf(attempt).failed += attempt.number === 2 ? 2 : 1',
    breaks: /^3 streams: (?:.* count as failed|the counter failed)/,
  },
  {
    name: 'a failed attempt is not in the ledger',
    file: 'stream/ledger/settleAttempts.ts',
    find: 'const { attempts, pending } = await write(tx, given)',
    put: 'const { attempts, pending } = await write(tx, given.filter(({ number, outcome }) => number !== 2 || outcome.code !== 500))',
    breaks: /^(?:3 streams: .* are in the ledger, and|6 help)/,
  },
  {
    name: 'one transaction in sixteen is lost',
    file: 'stream/match/match.ts',
    find: 'if (stream.definition.includeNativeTxs && block.number >= stream.fromBlock)',
    put: "if (stream.definition.includeNativeTxs && block.number >= stream.fromBlock && hash < '0xf')",
    breaks: /^3 streams: .* are missing .* transaction /,
  },
  {
    name: 'the symbol of a contract is its name',
    file: 'nft/pages/record.ts',
    find: 'const { name, symbol, possibleSpam, verified, spam } = state',
    put: 'const { name, name: symbol, possibleSpam, verified, spam } = state',
    breaks: /^1 documents: .* has the name and symbol/,
  },
  {
    name: 'coins of the last read version are skipped',
    file: 'coin/storeCoins.ts',
    find: 'const { networkId, from, to, coins } = options',
    put: 'const { networkId, from, to } = options\n  const coins = options.coins.filter(({ version }) => version < to)',
    breaks: /^4 coins: .* missing/,
  },
  {
    name: 'traits of a token that a reorg removed are still counted',
    file: 'nft/metadata/store/revertMetadata.ts',
    find: 'map(removedRow.decode))',
    put: 'map(removedRow.decode).slice(1))',
    breaks: /^1 documents: .* (?:its traits are|its red tokens are|has rank|documents are ranked)/,
  },
  {
    name: 'a page of a wallet repeats the last token of the page before',
    file: 'nft/pages/wallets/walletTokens.ts',
    find: '.token_hash) < ($4, $5::uuid)',
    put: '.token_hash) <= ($4, $5::uuid)',
    breaks: /^(?:4 paging: a walk through 0x\w+ gave .* twice|1 state: of 0x)/,
  },
  {
    name: 'a walk through coins skips coins between two pages',
    file: 'coin/pages/createCoinQuery.ts',
    find: '(c.version < $5 OR',
    put: '(c.version < $5 - 20 OR',
    breaks: /^4 coins: .* missing/,
  },
  {
    name: 'retractions are sent in ascending order of blocks',
    file: 'stream/ledger/retractWebhooks.ts',
    find: 'return [...named.values()].map((webhook) => ({',
    put: 'return [...named.values()].reverse().map((webhook) => ({',
    breaks: /^3 streams: .* was taken back before/,
  },
  {
    name: 'the transfers of a token lack its mint',
    file: 'nft/pages/transfers/transferSql.ts',
    find: 'AND t.collection_id = $6 AND (t.token_id, t.position, t.item)',
    put: `AND t.collection_id = $6 AND t.from_address <> decode(repeat('00', 20), 'hex') AND (t.token_id, t.position, t.item)`,
    breaks: /^1 state: .* of token \d+ /,
  },
  {
    name: '`from_block` excludes its own block',
    file: 'api/nft/transferParameters.ts',
    find: 'from: from_block === null ? dated.from : BigInt(from_block)',
    put: 'from: from_block === null ? dated.from : BigInt(from_block) + 1n',
    breaks: /^1 state: .* of \/api\/v2\/nft\/.*from_block/,
  },
  {
    name: 'a cut connection to the database returns 500',
    file: 'api/http/errorAnswer.ts',
    find: 'if (isConnectionError(error))',
    put: 'if (isConnectionError(error) && Math.random() < 0)',
    breaks: /^5 answers: .* was answered 500/,
  },
  {
    name: 'each attempt leaks a megabyte',
    file: 'stream/delivery/attempt/createAttempt.ts',
    find: 'const at = new Date(clock())',
    put: 'const at = new Date(clock())\n    ;((globalThis as unknown as { left: Buffer[] }).left ??= []).push(Buffer.alloc(2_000_000, 1))',
    breaks: /^6 bounds: .* holds/,
  },
]

/** Copies the project into a folder and plants the bug. `main`: the program of the copy. Throws if the code does not contain `find`. */
export function plantFault({ name, file, find, put }: Plant): { main: string; remove(): void } {
  const root = join(import.meta.dirname, '..')
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-planted-'))
  for (const entry of readdirSync(root))
    if (entry !== 'src' && entry !== '.git') symlinkSync(join(root, entry), join(folder, entry))
  cpSync(join(root, 'src'), join(folder, 'src'), { recursive: true })
  const path = join(folder, 'src', file)
  const text = readFileSync(path, 'utf8')
  if (text.split(find).length !== 2) throw new Error(`"${name}": ${file} does not hold "${find}" once`)
  writeFileSync(
    path,
    text.replace(find, () => put),
  )
  return { main: join(folder, 'src/main.ts'), remove: () => rmSync(folder, { recursive: true, force: true }) }
}
