import { setImmediate } from 'node:timers/promises'
import { Command } from 'commander'
import type { ToolDocument } from '../../api/mcp/tools.ts'
import { BadRequestError, UnavailableError } from '../../util/errors.ts'
import { secretsOfText } from '../../util/urls/secretsOfUrl.ts'
import { addDatabaseOptions, type ConfigOptions, configFrom } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { parseHttpAddress } from '../input/parseArgument.ts'

type Sent = { method: string; target: string; body?: string; signal?: AbortSignal }
type McpOptions = ConfigOptions & { url?: string; key?: string; admin?: boolean }

export function mcpCommand(context: CliContext): Command {
  return addDatabaseOptions(new Command('mcp'))
    .description(
      'serve the read operations of a running server as tools for an assistant (Model Context Protocol, stdio)',
    )
    .option(
      '--url <url>',
      'address of the server (default: this machine, at the port of the configuration)',
      parseHttpAddress,
    )
    .option('--key <key>', 'API key (default: apiKey of the configuration, or MINTMARK_API_KEY)')
    .option('--admin', 'add the operations of an admin key, which can change and delete data')
    .action((options: McpOptions) => serve(options, context))
}

async function serve(options: McpOptions, context: CliContext): Promise<void> {
  const config = await configFrom(options, context)
  const { url = `http://127.0.0.1:${config.port}`, key = config.apiKey, admin = false } = options
  if (!key) throw new BadRequestError('the API key is missing: give it with MINTMARK_API_KEY or --key')
  context.secrets.add(secretsOfText(key))
  // Imported on demand: other commands start faster without these.
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
  const { createMcpServer } = await import('../../api/mcp/createMcpServer.ts')
  const { toolsOf } = await import('../../api/mcp/tools.ts')
  const request = ({ method, target, body, signal }: Sent) =>
    fetch(new URL(target, url), {
      ...{ method, headers: { 'x-api-key': key, 'content-type': 'application/json' } },
      signal: signal ? AbortSignal.any([context.signal, signal]) : context.signal,
      ...(body === undefined ? {} : { body }),
    }).catch((cause: unknown) => {
      throw new UnavailableError(`no server responds at ${url}: start it, or give its address with --url`, { cause })
    })
  const document = await request({ method: 'GET', target: '/openapi.json' })
  if (!document.ok)
    throw new UnavailableError(`${url} answers ${document.status} to /openapi.json: is it a Mintmark server?`)
  const own = await request({ method: 'GET', target: '/key' })
  if (!own.ok) throw new BadRequestError(`the server at ${url} does not accept the API key (${own.status})`)
  const { access } = (await own.json()) as { access: string }
  if (admin && access !== 'admin') throw new BadRequestError('--admin needs an admin key; the API key is a read key')
  const described = (await document.json()) as ToolDocument
  const tools = toolsOf(described, { admin })
  const calls = new Set<Promise<unknown>>()
  function onCall(answer: Promise<unknown>): void {
    calls.add(answer)
    answer.catch(() => undefined).finally(() => calls.delete(answer))
  }
  const server = createMcpServer({ tools, request, version: described.info.version, onCall })
  const ended = Promise.withResolvers<void>()
  server.onclose = () => ended.resolve()
  const close = () => void server.close()
  context.signal.addEventListener('abort', close)
  /** Answers all calls that came before the end of the input. */
  async function closeOnceAnswered() {
    do {
      await Promise.allSettled(calls)
      await setImmediate()
    } while (calls.size > 0)
    close()
  }
  process.stdin.once('end', () => void closeOnceAnswered())
  await server.connect(new StdioServerTransport())
  await ended.promise
}
