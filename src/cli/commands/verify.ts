import { randomBytes } from 'node:crypto'
import { Command, InvalidArgumentError } from 'commander'
import type { Config } from '../../config/config.ts'
import type { Standards } from '../../nft/transfers/decodeTransfers.ts'
import { findChain } from '../../service/findChain.ts'
import { recountLedger } from '../../stream/ledger/recountLedger.ts'
import { describeError, MintmarkError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import { secretsOfUrl } from '../../util/urls/secretsOfUrl.ts'
import { addDatabaseOptions, type ConfigOptions, configFrom } from '../context/configOptions.ts'
import type { Nodes } from '../context/connectNodes.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { withNodes } from '../context/withNodes.ts'
import { addCollectionArguments, parseAddress } from '../input/collectionArguments.ts'
import { blockNumber, parseHttpAddress } from '../input/parseArgument.ts'
import { createProgress, type Progress } from '../report/createProgress.ts'
import { counted } from '../report/print.ts'
import { printSnapshotVerification, snapshotFault } from '../report/snapshotReport.ts'
import { faultOf, printVerification, verificationReport } from '../report/verificationReport.ts'
import { printWalletVerification } from '../report/walletVerification.ts'

/** Stored data differs from expected data. */
class VerificationError extends MintmarkError {
  readonly code = 'VERIFICATION'
}

type VerifyCommandOptions = ConfigOptions & {
  streams?: boolean
  snapshot?: string
  rowsOnly?: boolean
  wallet?: Address
  sample?: number
  seed?: string
  at?: bigint
  rpc: string[]
  json?: boolean
}

export function verifyCommand(context: CliContext): Command {
  return addDatabaseOptions(addCollectionArguments(new Command('verify'), { optional: true }))
    .description('compare a collection with the chain, or the statistics of webhooks with their ledger')
    .option('--sample <n>', 'compare this many random tokens instead of all', sampleSize)
    .option('--seed <text>', 'seed of the sample, to draw the same one again')
    .option('--at <block>', 'compare at this block (default: the last indexed one)', blockNumber)
    .option(
      '--rpc <url>',
      'node to compare with; repeatable (default: those of the configuration)',
      (url: string, before: string[]) => [...before, parseHttpAddress(url)],
      [],
    )
    .option('--snapshot <file>', 'compare a file of "mintmark snapshot" with the chain instead, without a database')
    .option(
      '--rows-only',
      "with --snapshot: compare only the rows; do not search the contract's logs for missing holders",
    )
    .option('--wallet <address>', 'compare a wallet that is indexed over all contracts of CHAIN instead', parseAddress)
    .option('--streams', 'recount every webhook and attempt instead')
    .option('--json', 'print JSON')
    .action(
      async (
        chainName: string | undefined,
        address: Address | undefined,
        options: VerifyCommandOptions,
        command: Command,
      ) => {
        if (options.streams) {
          if (chainName !== undefined) command.error('--streams covers all streams and takes no collection')
          await verifyStreams(options, context)
          return
        }
        if (options.wallet !== undefined) {
          if (chainName === undefined || address !== undefined) return command.error('--wallet needs CHAIN alone')
          await verifyWalletOf(chainName, options.wallet, options, context)
          return
        }
        if (options.rowsOnly && options.snapshot === undefined) command.error('--rows-only needs --snapshot')
        if (options.seed !== undefined && options.sample === undefined) command.error('--seed needs --sample')
        if (options.snapshot !== undefined) {
          if (chainName !== undefined || options.at !== undefined)
            command.error('--snapshot takes the collection and the block from the file')
          await verifyFile(options.snapshot, options, context)
          return
        }
        if (chainName === undefined || address === undefined)
          return command.error('nothing to verify: give CHAIN and ADDRESS, --snapshot, or --streams')
        await verifyOne(chainName, address, options, context)
      },
    )
}

async function verifyOne(
  chainName: string,
  address: Address,
  options: VerifyCommandOptions,
  context: CliContext,
): Promise<void> {
  const { print, signal } = context
  const { verifyCollection } = await import('../../nft/verify/verifyCollection.ts')
  await withDatabase(options, context, async (db, config) => {
    const chain = await findChain({ db, config }, chainName)
    const { sample: size, at } = options
    const seed = options.seed ?? randomBytes(6).toString('hex')
    await withReaders({ config, chain, options, context }, async (nodes, progress) => {
      const verification = await verifyCollection({
        db,
        chainId: chain.id,
        address,
        connect: (block) => nodes.readersAt(address, block),
        at,
        sample: size === undefined ? undefined : { size, seed },
        onProgress: (done, total) => progress.update(total === 0 ? 1 : done / total, `${done} of ${total} tokens`),
        signal,
      })
      progress.stop()
      if (options.json) print.json(verificationReport(chain, address, verification))
      else printVerification(print, chain, address, verification)
      const fault = faultOf(verification)
      if (fault !== undefined) throw new VerificationError(fault)
    })
  })
}

/** Runs `work` with a chain's nodes and a progress bar, and closes both. */
async function withReaders(
  of: { config: Config; chain: { id: bigint; name: string }; options: VerifyCommandOptions; context: CliContext },
  work: (nodes: Nodes, progress: Progress) => Promise<void>,
): Promise<void> {
  const { config, chain, options, context } = of
  // Imported on demand: other commands start faster without chain code.
  const { connectNodes } = await import('../context/connectNodes.ts')
  context.secrets.add(options.rpc.flatMap(secretsOfUrl))
  const nodes = connectNodes(withNodes(config, chain, options.rpc), config.rpc)
  const progress = createProgress(context.print)
  try {
    await work(nodes, progress)
  } finally {
    progress.stop()
    await nodes.close()
  }
}

async function verifyWalletOf(
  chainName: string,
  wallet: Address,
  options: VerifyCommandOptions,
  context: CliContext,
): Promise<void> {
  const { print, signal } = context
  const { verifyWallet } = await import('../../nft/verify/verifyWallet.ts')
  await withDatabase(options, context, async (db, config) => {
    const chain = await findChain({ db, config }, chainName)
    await withReaders({ config, chain, options, context }, async (nodes, progress) => {
      const found = await verifyWallet({
        ...{ db, chainId: chain.id, wallet, at: options.at, readersAt: nodes.readersAt, source: nodes.first().source },
        ...{ onProgress: progress.update, signal },
      })
      progress.stop()
      if (options.json) print.json({ chain: chain.name, wallet, ...found, block: String(found.block) })
      else printWalletVerification(print, chain.name, wallet, found)
      const { mismatches, unreadable } = found
      if (mismatches.length > 0)
        throw new VerificationError(
          `${mismatches.length} differences: the stored data of ${wallet} differs from the chain`,
        )
      if (unreadable.length > 0)
        throw new VerificationError(`${unreadable.length} contracts could not be queried at block ${found.block}`)
    })
  })
}

async function verifyFile(path: string, options: VerifyCommandOptions, context: CliContext): Promise<void> {
  const { print, signal } = context
  const { readHolderFile } = await import('../../nft/files/readHolderFile.ts')
  const { readSnapshotFacts } = await import('../../nft/files/snapshotFacts.ts')
  const { NotComparableError } = await import('../../nft/verify/createPanel.ts')
  const { namedHolders } = await import('../../nft/verify/namedHolders.ts')
  const { sampleRows, verifySnapshot } = await import('../../nft/verify/verifySnapshot.ts')
  const facts = await readSnapshotFacts(path)
  const config = await configFrom(options, context)
  const chain = { id: BigInt(facts.chainId), name: facts.chain }
  const seed = options.seed ?? randomBytes(6).toString('hex')
  const { contract } = facts
  const to = BigInt(facts.block)
  async function* named(nodes: Nodes, progress: Progress, standards: Standards) {
    const { node, source, contracts } = nodes.first()
    try {
      const from = (await contracts.deploymentBlock(contract, to, { signal })) ?? 0n
      const onBlock = (block: bigint) =>
        progress.update(Number(block - from + 1n) / Number(to - from + 1n), `the logs of blocks ${from} to ${block}`)
      yield* namedHolders({ source, contract, standards, from, to, onBlock, signal })
    } catch (error) {
      if (signal.aborted) throw error
      throw new NotComparableError(
        `${node} returns no logs of ${contract}, so missing holders cannot be found: ${describeError(error)}. --rows-only skips this check`,
        { cause: error },
      )
    }
  }
  await withReaders({ config, chain, options, context }, async (nodes, progress) => {
    const verification = await verifySnapshot({
      facts,
      rows: readHolderFile(path, facts.format),
      readers: nodes.readersAt(facts.contract, BigInt(facts.block)),
      ...(options.sample !== undefined && { isSampled: sampleRows(facts.holders, options.sample, seed) }),
      // A sample must stay fast.
      named:
        options.rowsOnly || options.sample !== undefined ? undefined : (standards) => named(nodes, progress, standards),
      onProgress: (rows) =>
        progress.update(rows / Math.max(1, rows, facts.holders), `${rows} of ${facts.holders} rows`),
      signal,
    })
    progress.stop()
    const fault = snapshotFault(verification)
    if (options.json) print.json({ file: path, agrees: fault === undefined, ...verification })
    else printSnapshotVerification(print, path, verification)
    if (options.sample !== undefined && !options.json) print.line(`a sample; repeat it with --seed ${seed}`)
    if (fault !== undefined) throw new VerificationError(fault)
  })
}

async function verifyStreams(options: VerifyCommandOptions, context: CliContext): Promise<void> {
  const { print } = context
  await withDatabase(options, context, async (db) => {
    const progress = createProgress(print)
    const recount = await recountLedger(db, (part) => progress.update(part, 'recounting')).finally(progress.stop)
    if (options.json) print.json(recount)
    else {
      const { streams, webhooks, attempts, removed, mismatches } = recount
      print.line(
        `${counted(webhooks, 'webhook')} and ${counted(attempts, 'attempt')} of ${counted(streams, 'stream')} recounted`,
      )
      if (removed.webhooks > 0)
        print.line(`and ${removed.webhooks} webhooks with ${removed.attempts} attempts that retention removed`)
      print.table(
        ['stream', 'what', 'counted', 'recounted'],
        mismatches.map((m) => [m.streamId, m.what, String(m.counted), String(m.recounted)]),
        { none: 'statistics and ledger agree' },
      )
    }
    if (recount.mismatches.length > 0)
      throw new VerificationError(
        `${recount.mismatches.length} counters differ from the ledger: keep the database unchanged and report this`,
      )
  })
}

function sampleSize(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text) || Number(text) > 1_000_000)
    throw new InvalidArgumentError('It must be a whole number from 1 to 1000000.')
  return Number(text)
}
