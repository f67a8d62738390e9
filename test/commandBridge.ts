import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { CommandResult } from './commandLine.ts'

const main = join(import.meta.dirname, '../src/main.ts')

/**
 * Lets a shell run Mintmark commands in this process, which takes milliseconds. A separate Node process takes a second.
 * `shell` declares the functions `mintmark` and `npx`.
 * `run` receives the words after `mintmark`, and a signal that aborts once the shell has ended.
 * `mintmark mcp` reads the shell's input, so it needs a separate process.
 */
export async function createCommandBridge(run: (args: string[], signal: AbortSignal) => Promise<CommandResult>) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const stopping = new AbortController()
    response.once('close', () => stopping.abort())
    const { code, out, err } = await run(Buffer.concat(chunks).toString().split('\0').slice(0, -1), stopping.signal)
    response.writeHead(code === 0 ? 200 : 500).end(code === 0 ? out : out + err)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    shell: `
      mintmark() { if [ "$1" = mcp ]; then node '${main}' "$@"; else in_process "$@"; fi; }
      in_process() { printf '%s\\0' "$@" | command curl -sS --fail-with-body --noproxy '*' --data-binary @- ${url}; }
      npx() { [ "$1" = mintmark ] || return 127; shift; mintmark "$@"; }`,
    async stop(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
