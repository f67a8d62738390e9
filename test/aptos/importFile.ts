import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type CommandResult, runCommand } from '../commandLine.ts'
import { temporaryFolder } from '../temporaryFolder.ts'

/** Runs the import with a configuration of one network, served by this node. */
export async function runImport(
  { url, node, network = 'mainnet' }: { url: string; node: string; network?: string },
  file: string,
): Promise<CommandResult> {
  const config = join(await temporaryFolder(), 'config.json')
  await writeFile(config, JSON.stringify({ aptos: { [network]: { rest: node } } }))
  return runCommand([
    'coins',
    'import',
    file,
    '--database-url',
    url,
    '--config',
    config,
    '--network',
    network,
    '--json',
  ])
}

/** A record of a coin that was never deployed. */
export function record(type: string, version: bigint | number, name = 'Imported'): Record<string, unknown> {
  return {
    coin_type: type,
    decimals: 6,
    name,
    symbol: 'IMP',
    supply_aggregator_table_handle: null,
    supply_aggregator_table_key: null,
    transaction_created_timestamp: '2022-10-19T02:43:38.000Z',
    transaction_version_created: String(version),
  }
}
