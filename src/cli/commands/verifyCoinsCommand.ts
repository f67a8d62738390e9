import { randomBytes } from 'node:crypto'
import { Command } from 'commander'
import { createCoinQuery } from '../../coin/pages/createCoinQuery.ts'
import { BadRequestError, MintmarkError } from '../../util/errors.ts'
import { noopLog } from '../../util/log.ts'
import { secretsOfUrl } from '../../util/urls/secretsOfUrl.ts'
import { addDatabaseOptions, type ConfigOptions, configFrom } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'
import { parseHttpAddress } from '../input/parseArgument.ts'
import { createProgress } from '../report/createProgress.ts'

/** Stored coins differ from those of a node. */
class CoinsDifferError extends MintmarkError {
  readonly code = 'VERIFICATION'
}

/** Timeout of each request to the node. */
const timeoutMs = 20_000

type Options = ConfigOptions & { network: string; sample: string; seed?: string; rest?: string; json?: boolean }

export function verifyCoinsCommand(context: CliContext): Command {
  return addDatabaseOptions(new Command('verify'))
    .description('compare supplies and decimals of coins with the REST API of a fullnode')
    .option('--network <name>', 'network of the coins', 'mainnet')
    .option('--sample <n>', 'compare this many random coins', '100')
    .option('--seed <text>', 'seed of the sample, to draw the same one again')
    .option('--rest <url>', 'fullnode to compare with (default: that of the configuration)', parseHttpAddress)
    .option('--json', 'print JSON')
    .action((options: Options) => verify(options, context))
}

async function verify(options: Options, context: CliContext): Promise<void> {
  const { print, signal, secrets } = context
  const { network } = options
  if (!/^[1-9]\d{0,6}$/.test(options.sample))
    throw new BadRequestError(`--sample is "${options.sample}"; allowed: a whole number from 1`)
  const { aptos } = await configFrom(options, context)
  const settings = Object.hasOwn(aptos, network) ? aptos[network] : undefined
  const base = options.rest ?? settings?.rest
  if (base === undefined)
    throw new BadRequestError(`the configuration has no REST API for the network "${network}": give one with --rest`)
  secrets.add(secretsOfUrl(base))
  const seed = options.seed ?? randomBytes(6).toString('hex')
  // Imported on demand: other commands start faster without network code.
  const { createRestClient } = await import('../../chain/aptos/restClient.ts')
  const { verifyCoins } = await import('../../coin/verifyCoins.ts')
  await withDatabase(options, context, async (db) => {
    const state = await createCoinQuery({ db }).network(network)
    if (!state || state.toVersion === null)
      throw new BadRequestError(`no version of the network "${network}" is covered yet, so there is nothing to compare`)
    const client = createRestClient({ base, token: settings?.token, timeoutMs, log: noopLog })
    const progress = createProgress(print)
    try {
      const { version, compared, differences } = await verifyCoins({
        ...{ db, client, seed, sample: Number(options.sample), signal },
        state: { ...state, toVersion: state.toVersion },
        onProgress: (done, total) => progress.update(done / total, `${done} of ${total} coins`),
      })
      progress.stop()
      if (options.json) print.json({ network, version: String(version), seed, compared, differences })
      else {
        for (const { coinType, field, stored, chain } of differences)
          print.line(`${coinType}: ${field} is ${stored} here and ${chain} on the chain`)
        print.line(`${compared} coins of ${network} compared at version ${version} (seed ${seed})`)
      }
      if (differences.length > 0) throw new CoinsDifferError(`${differences.length} values differ`)
    } finally {
      progress.stop()
      await client.close()
    }
  })
}
