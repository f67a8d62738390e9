import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Config } from '../../config/config.ts'
import type { ConfigLayer } from '../../config/configLayer.ts'
import { configSecrets } from '../../config/configSecrets.ts'
import { loadLayers } from '../../config/loadConfig.ts'
import type { CliContext } from './context.ts'

/** Configuration options of command lines. */
export type ConfigOptions = {
  config?: string
  data?: string
  databaseUrl?: string
  port?: number
  host?: string
  role?: string
}

/** Options of every command that uses the database. */
export function addDatabaseOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration file (default: mintmark.config.ts, .js or .json in the current folder)')
    .option('--data <dir>', 'folder of the embedded database')
    .option('--database-url <url>', 'PostgreSQL to use instead of the embedded one')
}

/** `--port`, validated. */
export function portOption(): Option {
  return new Option('--port <number>', 'TCP port to listen on, 0 for a free one').argParser((text) => {
    const port = Number(text)
    if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a number from 0 to 65535.')
    return port
  })
}

/** The configuration, overridden by the command line. Its secrets are masked in all later output. */
export async function configFrom(options: ConfigOptions, context: Pick<CliContext, 'secrets'>): Promise<Config> {
  return (await layersFrom(options, context)).config
}

/** The configuration, with the values of each source (file, variable, flag). */
export async function layersFrom(
  options: ConfigOptions,
  { secrets }: Pick<CliContext, 'secrets'>,
): Promise<{ config: Config; layers: ConfigLayer[] }> {
  const loaded = await loadLayers({
    file: options.config,
    flags: {
      port: options.port,
      host: options.host,
      role: options.role,
      dataDir: options.data,
      databaseUrl: options.databaseUrl,
    },
  })
  secrets.add(configSecrets(loaded.config))
  return loaded
}
