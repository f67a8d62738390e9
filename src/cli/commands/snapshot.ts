import { existsSync } from 'node:fs'
import { Command, InvalidArgumentError } from 'commander'
import type { FileFormat } from '../../nft/fileQuery.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import { findChain } from '../../service/findChain.ts'
import { BadRequestError, NotFoundError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { withNodes } from '../context/withNodes.ts'
import { addCollectionArguments, parseAddress } from '../input/collectionArguments.ts'
import { formatOf, formatOption } from '../input/fileFormat.ts'
import { blockNumber } from '../input/parseArgument.ts'
import { createProgress } from '../report/createProgress.ts'
import { printSnapshot } from '../report/snapshotReport.ts'

type SnapshotOptions = ConfigOptions & { at?: bigint; out?: string; format?: FileFormat; json?: boolean }

export function snapshotCommand(context: CliContext): Command {
  return addDatabaseOptions(addCollectionArguments(new Command('snapshot'), { optional: false }))
    .description('write all holders of a collection at a block to a file, with the root of their Merkle tree')
    .option('--at <block>', 'block (default: the last final block that is covered)', blockNumber)
    .option('--out <file>', 'file to write; its block and root go to the same name with .json appended')
    .addOption(formatOption())
    .option('--json', 'print JSON')
    .action((chainName: string, address: Address, options: SnapshotOptions, command: Command) => {
      // Not a required option: Commander would also require it for "snapshot proof".
      const { out = command.error('error: the file is missing: give one with --out') } = options
      const { format = formatOf(out, command) } = options
      return writeOne(chainName, address, { ...options, out, format }, context)
    })
    .addCommand(proofCommand(context))
}

async function writeOne(
  chainName: string,
  address: Address,
  options: SnapshotOptions & { out: string; format: FileFormat },
  context: CliContext,
): Promise<void> {
  const { print, signal } = context
  // Imported on demand: other commands start faster without chain and hash code.
  const { readBlockHash } = await import('../context/readBlockHash.ts')
  const { finalBlock } = await import('../../nft/files/createNftFiles.ts')
  const { writeSnapshot } = await import('../../nft/files/writeSnapshot.ts')
  await withDatabase(options, context, async (db, config) => {
    const chain = await findChain({ db, config }, chainName)
    const state = await createNftQuery({ db }).state(chain.id, address)
    if (!state) throw new NotFoundError(`${address} is not indexed: start its indexing with "mintmark index"`)
    const block = options.at ?? (await finalBlock(db, chain.id, state))
    if (block === null)
      throw new BadRequestError(
        `no blocks of this collection are covered without a gap yet (${state.status}): wait with "mintmark index … --wait"`,
      )
    const progress = createProgress(print)
    let holders = 0
    try {
      const written = await writeSnapshot({
        ...{ db, chain, address, state, block, signal },
        ...{ path: options.out, format: options.format },
        requestHash: () => readBlockHash(withNodes(config, chain, []), config.rpc, block, signal),
        onRows(rows) {
          holders += rows
          // Holders of an ERC-1155 contract were not counted before.
          const most = Math.max(Number(state.tokens), holders)
          progress.update(most === 0 ? 1 : holders / most, `${holders} holders`)
        },
      })
      progress.stop()
      if (options.json) print.json({ file: options.out, ...written })
      else printSnapshot(print, options.out, written)
    } finally {
      progress.stop()
    }
  })
}

function proofCommand({ print }: CliContext): Command {
  return new Command('proof')
    .description('print the Merkle proof of a holder from a snapshot file, for OpenZeppelin’s MerkleProof')
    .argument('<file>', 'snapshot file')
    .argument('<owner>', 'address of the holder', parseAddress)
    .argument('<token>', 'token id', tokenId)
    .addOption(formatOption())
    .action(async (path: string, owner: Address, token: bigint, _: unknown, command: Command) => {
      // Commander assigns an option that both commands have to the parent command.
      const { format = formatOf(path, command) } = command.optsWithGlobals<{ format?: FileFormat }>()
      if (!existsSync(path)) throw new NotFoundError(`there is no file ${path}`)
      const { proveHolding } = await import('../../nft/files/createProver.ts')
      const found = await proveHolding({ path, format }, { owner, tokenId: token })
      if (!found) throw new NotFoundError(`${path} has no row of owner ${owner} and token ${token}`)
      print.json(found)
    })
}

function tokenId(text: string): bigint {
  if (!/^(\d{1,78}|0x[0-9a-fA-F]{1,64})$/.test(text)) throw new InvalidArgumentError('It must be a token id.')
  return BigInt(text)
}
