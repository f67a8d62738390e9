import { Command } from 'commander'
import { MintmarkError } from '../errors.ts'
import { recountLedger } from '../stream/ledger/recountLedger.ts'
import { addDatabaseOptions, type ConfigOptions } from './configOptions.ts'
import type { CliContext } from './context.ts'
import { withDatabase } from './withDatabase.ts'

/** What is stored is not what it should be. */
export class VerificationError extends MintmarkError {
  readonly code = 'VERIFICATION'
}

export function verifyCommand(context: CliContext): Command {
  return addDatabaseOptions(new Command('verify'))
    .description('recount what is stored: --streams compares statistics with the ledger of webhooks')
    .requiredOption('--streams', 'recount every webhook and attempt')
    .option('--json', 'print JSON')
    .action((options: ConfigOptions & { json?: boolean }) => verifyStreams(options, context))
}

async function verifyStreams(options: ConfigOptions & { json?: boolean }, context: CliContext): Promise<void> {
  const { print } = context
  await withDatabase(options, context, async (db) => {
    const recount = await recountLedger(db)
    if (options.json) print.json(recount)
    else {
      const { streams, webhooks, attempts, mismatches } = recount
      print.line(`${webhooks} webhooks and ${attempts} attempts of ${streams} streams recounted`)
      if (mismatches.length === 0) print.line('statistics and ledger agree')
      else
        print.table(
          ['stream', 'what', 'counted', 'recounted'],
          mismatches.map((m) => [m.streamId, m.what, String(m.counted), String(m.recounted)]),
        )
    }
    if (recount.mismatches.length > 0)
      throw new VerificationError(`${recount.mismatches.length} counters are not what the ledger says`)
  })
}
