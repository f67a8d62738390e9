import { Command, InvalidArgumentError, Option } from 'commander'
import { createKey, isSeen, type KeyAccess, keyBounds, listKeys, revokeKey } from '../../db/keys.ts'
import { NotFoundError } from '../../util/errors.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'

type Json = { json?: boolean }
type CreateOptions = ConfigOptions & Json & { access: KeyAccess; requestsPerSecond?: number; burst?: number }

export function keysCommand(context: CliContext): Command {
  return new Command('keys')
    .description('API keys')
    .addCommand(createCommand(context))
    .addCommand(listCommand(context))
    .addCommand(revokeCommand(context))
}

function createCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('create'))
    .description('create a key and print it; it is stored nowhere else')
    .argument('[name]', 'name of the key, such as its program', keyName, 'unnamed')
    .addOption(new Option('--access <access>', 'access of the key').choices(['read', 'admin']).default('read'))
    .option('--requests-per-second <number>', 'rate limit of the key (default: that of the configuration)', positive)
    .option(
      '--burst <number>',
      'burst size of the key, in requests (default: that of the configuration)',
      positiveInteger,
    )
    .option('--json', 'print JSON')
    .action((name: string, options: CreateOptions) =>
      withDatabase({ ...options, create: true }, context, async (db) => {
        const { access, requestsPerSecond, burst } = options
        const { id, key } = await createKey(db, {
          name,
          access,
          ...(requestsPerSecond === undefined ? {} : { requestsPerSecond }),
          ...(burst === undefined ? {} : { burst }),
        })
        if (options.json) print.json({ id, name, access, key })
        else {
          print.line(key)
          print.note(`key ${id} (${access}, ${name}): save it now, it is not shown again`)
        }
      }),
    )
}

function listCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('list'))
    .description('list all keys, revoked ones included, with limits and last use')
    .option('--json', 'print JSON')
    .action((options: ConfigOptions & Json) =>
      withDatabase(options, context, async (db) => {
        const keys = await listKeys(db)
        if (options.json) return print.json(keys)
        print.table(
          ['id', 'access', 'created', 'last used', 'requests/s', 'burst', 'revoked', 'name'],
          keys.map((key) => [
            String(key.id),
            key.access,
            key.createdAt.toISOString(),
            key.lastUsedAt?.toISOString() ?? 'never',
            String(key.requestsPerSecond ?? 'default'),
            String(key.burst ?? 'default'),
            key.revokedAt?.toISOString() ?? '-',
            key.name,
          ]),
          { none: 'no keys: create one with "mintmark keys create"' },
        )
      }),
    )
}

function revokeCommand(context: CliContext): Command {
  const { print } = context
  return addDatabaseOptions(new Command('revoke'))
    .description('revoke a key; servers reject it within a second')
    .argument('<id>', 'id of the key, from "mintmark keys list"', keyId)
    .option('--json', 'print JSON')
    .action((id: bigint, options: ConfigOptions & Json) =>
      withDatabase(options, context, async (db) => {
        if (!(await revokeKey(db, id)))
          throw new NotFoundError(`there is no active key ${id}: see "mintmark keys list"`)
        if (options.json) print.json({ id, revoked: true })
        else print.line(`key ${id} is revoked`)
      }),
    )
}

function keyName(text: string): string {
  if (text === '' || text.length > keyBounds.nameLength)
    throw new InvalidArgumentError(`It must be text of 1 to ${keyBounds.nameLength} characters.`)
  if (!isSeen(text)) throw new InvalidArgumentError('It must contain at least one visible character.')
  return text
}

function keyId(text: string): bigint {
  if (!/^\d{1,18}$/.test(text)) throw new InvalidArgumentError('It must be the number of a key.')
  return BigInt(text)
}

function positive(text: string): number {
  const number = Number(text)
  if (!/^\d{1,7}(\.\d{1,6})?$/.test(text) || !(number > 0 && number <= keyBounds.requestsPerSecond))
    throw new InvalidArgumentError(`It must be a number above 0, at most ${keyBounds.requestsPerSecond}.`)
  return number
}

function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text) || Number(text) > keyBounds.burst)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${keyBounds.burst}.`)
  return Number(text)
}
