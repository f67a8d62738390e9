import { Command } from 'commander'
import type { Config } from '../../config/config.ts'
import { type ConfigLayer, sourceOf } from '../../config/configLayer.ts'
import { maskedConfig } from '../../config/configSecrets.ts'
import { ConfigError, describeError } from '../../util/errors.ts'
import { addDatabaseOptions, type ConfigOptions, layersFrom } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'

type Options = ConfigOptions & { json?: boolean; all?: boolean }

export function configCommand(context: CliContext): Command {
  return new Command('config')
    .description('the configuration')
    .addCommand(checkCommand(context))
    .addCommand(showCommand(context))
}

function checkCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('check'))
    .description('check the configuration: lists all errors, exits with code 1 if there are any')
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      try {
        const { layers } = await layersFrom(options, context)
        const sources = layers.map(({ source }) => source)
        if (options.json) print.json({ valid: true, sources, faults: [] })
        else print.line(`the configuration has no errors; sources: ${sources.join(', ') || 'defaults only'}`)
      } catch (error) {
        if (options.json && error instanceof ConfigError)
          print.json({ valid: false, faults: error.details?.faults ?? [describeError(error)] })
        throw error
      }
    })
}

function showCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('show'))
    .description('show the configuration in use and the source of each value, without keys')
    .option('--all', 'include the defaults; JSON always includes them')
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const { config, layers } = await layersFrom(options, context)
      const settings = listSettings(config, layers)
      if (options.json) {
        const sources = Object.fromEntries(settings.map(({ name, source }) => [name, source ?? 'default']))
        return print.json({ settings: maskedConfig(config), sources })
      }
      const shown = settings.filter(({ source }) => options.all || source !== undefined)
      print.table(
        ['setting', 'value', 'from'],
        shown.map(({ name, value, source }) => [name, textOf(value), source ?? 'default']),
        { none: 'all settings have their defaults: "mintmark config show --all" lists them' },
      )
    })
}

type Setting = { name: string; value: unknown; source: string | undefined }

/** All settings by name, such as `chains.eth.rpc`; a list is one setting. */
function listSettings(config: Config, layers: readonly ConfigLayer[]): Setting[] {
  const within = (value: unknown, path: readonly string[]): Setting[] => {
    const isGroup = typeof value === 'object' && value !== null && !Array.isArray(value)
    const parts = isGroup ? Object.entries(value) : []
    if (parts.length > 0) return parts.flatMap(([key, inner]) => within(inner, [...path, key]))
    return [{ name: path.join('.'), value, source: sourceOf(layers, path) }]
  }
  return within(maskedConfig(config), [])
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
