import { once } from 'node:events'
import { Command, Option } from 'commander'
import { configSchema } from '../../config/config.ts'
import { addDatabaseOptions, type ConfigOptions, configFrom, portOption } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { openLog } from '../context/openLog.ts'

export function startCommand({ signal, secrets }: CliContext): Command {
  return addDatabaseOptions(new Command('start'))
    .description('run the server: migrates the database first; GET /ready returns 200 when it is ready')
    .addOption(portOption())
    .option('--host <address>', 'address to listen on')
    .addOption(
      new Option('--role <role>', 'part of the work that this process does').choices(
        configSchema.shape.role.unwrap().options,
      ),
    )
    .action(async (options: ConfigOptions) => {
      const config = await configFrom(options, { secrets })
      const log = await openLog({ level: config.logLevel, mask: secrets.mask })
      // Imported on demand: other commands start faster without the server's code.
      const { createService } = await import('../../service.ts')
      const { openConsole } = await import('../../service/console/openConsole.ts')
      const lost = Promise.withResolvers<never>()
      // The promise may reject before anything awaits it.
      lost.promise.catch(() => log.flush())
      const service = await createService({ config, log, openConsole, signal, onOtherTimeline: lost.reject })
      if (!signal.aborted) await Promise.race([once(signal, 'abort'), lost.promise])
      log.info({ reason: signal.reason }, 'stopping')
      await service.close()
      log.flush()
      log.info({}, 'stopped')
    })
}
