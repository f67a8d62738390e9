import type { Command } from 'commander'
import { BadRequestError } from '../../util/errors.ts'
import type { CliContext } from './context.ts'

export type ConfirmOptions = { yes?: boolean }

/** `--yes` of every irreversible command. */
export function addYesOption(command: Command): Command {
  return command.option('--yes', 'do not prompt; required without a terminal')
}

/**
 * Throws BadRequestError unless `--yes` is given or the user confirms. `what`: what the command does, as a sentence
 * without its full stop.
 */
export async function confirm({ prompt, signal }: CliContext, { yes }: ConfirmOptions, what: string): Promise<void> {
  if (yes) return
  if (!prompt) throw new BadRequestError(`${what}: add --yes to confirm, as there is no terminal to prompt at`)
  if (!(await prompt(`${what}. Continue?`, signal))) throw new BadRequestError('nothing was changed: the answer was no')
}
