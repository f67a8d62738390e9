import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Command } from 'commander'
import type { FileFormat } from '../../nft/fileQuery.ts'
import { createNftQuery } from '../../nft/pages/createNftQuery.ts'
import { findChain } from '../../service/findChain.ts'
import { ConflictError, NotFoundError } from '../../util/errors.ts'
import type { Address } from '../../util/hex.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { addCollectionArguments } from '../input/collectionArguments.ts'
import { formatOf, formatOption } from '../input/fileFormat.ts'

type ExportOptions = ConfigOptions & { out: string; transfers?: boolean; format?: FileFormat; json?: boolean }

export function exportCommand(context: CliContext): Command {
  return addDatabaseOptions(addCollectionArguments(new Command('export'), { optional: false }))
    .description('write all tokens of a collection with their metadata, or all transfers, to a file')
    .requiredOption('--out <file>', 'file to write')
    .option('--transfers', 'write transfers instead of tokens')
    .addOption(formatOption())
    .option('--json', 'print JSON')
    .action((chainName: string, address: Address, options: ExportOptions, command: Command) => {
      const { format = formatOf(options.out, command) } = options
      return writeOne(chainName, address, { ...options, format }, context)
    })
}

async function writeOne(
  chainName: string,
  address: Address,
  options: ExportOptions & { format: FileFormat },
  context: CliContext,
): Promise<void> {
  const { print, signal } = context
  const { out, transfers = false, format } = options
  // Imported on demand: other commands start faster without these.
  const { exportBatches } = await import('../context/exportBatches.ts')
  const { writeFile } = await import('../../nft/files/writeFile.ts')
  await withDatabase(options, context, async (db, config) => {
    const chain = await findChain({ db, config }, chainName)
    const query = createNftQuery({ db })
    const state = await query.state(chain.id, address)
    if (!state) throw new NotFoundError(`${address} is not indexed: start its indexing with "mintmark index"`)
    if (!existsSync(dirname(out)))
      throw new NotFoundError(`there is no folder ${dirname(out)}: create it, or choose another file with --out`)
    if (existsSync(out)) throw new ConflictError(`${out} already exists: choose another file with --out`)
    const kind = transfers ? 'transfers' : 'tokens'
    const temporary = `${out}.${process.pid}.tmp`
    try {
      const batches = exportBatches({ db, config, chain, state, address, kind, signal })
      const { rows, bytes } = await writeFile({ path: temporary, mode: 0o666, kind, format, batches, signal })
      await rename(temporary, out)
      if (options.json) print.json({ file: out, kind, format, rows, bytes })
      else print.line(`${out}: ${rows} ${kind}, ${bytes} bytes`)
    } finally {
      await rm(temporary, { force: true })
    }
  })
}
