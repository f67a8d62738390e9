import { Command } from 'commander'
import { MintmarkError } from '../../util/errors.ts'
import { hidden, secretsOfUrl } from '../../util/urls/secretsOfUrl.ts'
import type { CliContext } from '../context/context.ts'
import { parseHttpAddress } from '../input/parseArgument.ts'
import { type Comparison, compareBodies } from '../report/compareBodies.ts'

/** One of the two servers does not answer a request as expected. */
class CompareError extends MintmarkError {
  readonly code = 'COMPARE'
}

type CompareOptions = { url: string; with: string; key?: string; withKey?: string; json?: boolean }

const timeoutMs = 30_000

/** Longest compared body. */
const mostBytes = 67_108_864

/** `mintmark compare`: compares this server's answers with those of the program's current provider. */
export function compareCommand(context: CliContext): Command {
  return new Command('compare')
    .description('send the same requests to this server and to another one, and list the fields that differ')
    .argument(
      '<request...>',
      'paths and queries to append to both addresses, such as "getNFTMetadata?contractAddress=0x…"',
    )
    .requiredOption(
      '--url <url>',
      'base address of this server, such as http://127.0.0.1:8080/alchemy/eth-mainnet/nft/v3/KEY',
      parseHttpAddress,
    )
    .requiredOption('--with <url>', 'base address of the other server', parseHttpAddress)
    .option('--key <key>', 'key of this server, sent as X-API-Key')
    .option('--with-key <key>', 'key of the other server, sent as X-API-Key')
    .option('--json', 'print JSON')
    .action((requests: string[], options: CompareOptions) => compare(requests, options, context))
}

async function compare(requests: readonly string[], options: CompareOptions, { print, secrets, signal }: CliContext) {
  for (const url of [options.url, options.with]) secrets.add(secretsOfUrl(url))
  for (const key of [options.key, options.withKey]) if (key) secrets.add([{ text: key, shown: hidden }])
  const found: Comparison = new Map()
  let compared = 0
  for (const one of requests) {
    const [here, there] = await Promise.all([
      read('this server', { base: options.url, request: one, key: options.key }, signal),
      read('the other server', { base: options.with, request: one, key: options.withKey }, signal),
    ])
    if (here.isSuccess && there.isSuccess) {
      compareBodies({ here: here.body, there: there.body }, found)
      compared++
      const { indexStatus } = here
      if (indexStatus !== null && indexStatus !== 'synced')
        print.note(`${one}: this server's indexing is ${indexStatus}, so its answer may be incomplete`)
    } else print.note(`${one}: this server returns ${outcomeOf(here)}, the other one ${outcomeOf(there)}`)
  }
  if (compared === 0) throw new CompareError('no request succeeded on both servers, so there is nothing to compare')
  const fields = [...found].map(([field, counts]) => ({ field, ...counts }))
  if (options.json) return print.json({ requests: requests.length, fields })
  const differing = fields.filter(({ same, ...counts }) => counts.different + counts.onlyHere + counts.onlyThere > 0)
  if (differing.length > 0)
    print.table(
      ['field', 'same', 'different', 'only here', 'only there', 'here', 'there'],
      differing.map(({ field, same, different, onlyHere, onlyThere, example }) => [
        ...[field, String(same), String(different), String(onlyHere), String(onlyThere)],
        ...[shown(example?.here), shown(example?.there)],
      ]),
    )
  print.line(`${fields.length - differing.length} of ${fields.length} fields are the same in all answers`)
}

const mostShown = 40

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '-'
  return text.length > mostShown ? `${text.slice(0, mostShown - 1)}…` : text
}

type Received = { status: number; isSuccess: boolean; indexStatus: string | null; body: unknown }

/** The status, with the message of an error. */
function outcomeOf({ status, isSuccess, body }: Received): string {
  const { error, message = error?.message } = (body ?? {}) as {
    error?: { message?: unknown } | null
    message?: unknown
  }
  return isSuccess || typeof message !== 'string' ? String(status) : `${status} (${message})`
}

async function read(
  who: string,
  { base, request: path, key }: { base: string; request: string; key: string | undefined },
  signal: AbortSignal,
): Promise<Received> {
  const address = `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
  const headers = { accept: 'application/json', ...(key !== undefined && { 'x-api-key': key }) }
  const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    const response = await fetch(address, { headers, signal: until })
    const parts: Uint8Array[] = []
    let bytes = 0
    for await (const part of response.body ?? []) {
      bytes += part.length
      if (bytes > mostBytes) throw new CompareError(`the answer of ${who} to ${path} is longer than ${mostBytes} bytes`)
      parts.push(part)
    }
    const { status, ok: isSuccess } = response
    const text = Buffer.concat(parts).toString()
    return { status, isSuccess, indexStatus: response.headers.get('x-index-status'), body: parseBody(text, isSuccess) }
  } catch (error) {
    if (signal.aborted || error instanceof CompareError) throw error
    if (error instanceof SyntaxError)
      throw new CompareError(`${who} did not answer ${path} with JSON`, { cause: error })
    throw new CompareError(`${who} did not answer ${path}`, { cause: error })
  }
}

/** JSON of a body; null: an error without JSON, such as one of a proxy. Throws SyntaxError. */
function parseBody(text: string, isSuccess: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (isSuccess) throw error
    return null
  }
}
