import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Verification } from '../../src/nft/verify/verification.ts'
import type { Address } from '../../src/util/hex.ts'
import { runCommand } from '../commandLine.ts'
import { createRpcServer, RpcFailure, type RpcHandler, type RpcServer } from '../rpcServer.ts'

export type VerifyResult = { code: number; err: string; report: Verification & { agrees: boolean } }

/** Runs `mintmark verify` with any database and nodes, without a configuration file of the test. */
export function createVerifier(databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-verify-'))
  let runs = 0
  const run = (rpc: readonly string[], args: readonly string[]) => {
    // A process reads a configuration file only once per path, like a module.
    const config = join(folder, `${++runs}.config.json`)
    writeFileSync(config, JSON.stringify({ chains: { local: { id: '0x7a69', rpc } }, rpc: { timeoutMs: 60_000 } }))
    return runCommand(['verify', ...args, '--config', config, '--database-url', databaseUrl])
  }
  return {
    run,
    async verify(rpc: readonly string[], address: Address, ...args: string[]): Promise<VerifyResult> {
      const { code, out, err } = await run(rpc, ['local', address, '--json', ...args])
      if (out === '') throw new Error(`no report: ${err}`)
      return { code, err, report: JSON.parse(out) }
    },
    close: () => rmSync(folder, { recursive: true }),
  }
}

/** A node in front of another one. `own` answers some calls; if it returns undefined, the call is forwarded. */
export function nodeInFrontOf(url: string, own: RpcHandler): Promise<RpcServer> {
  return createRpcServer(async (call, exchange) => {
    const given = await own(call, exchange)
    if (given !== undefined) return given
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', ...call }),
    }).catch(() => undefined)
    // A delayed call may arrive after the test and its node have ended.
    if (!response) return new RpcFailure(-32000, 'the node behind is unreachable')
    const { result, error } = (await response.json()) as { result?: unknown; error?: RpcFailure['error'] }
    return error ? new RpcFailure(error.code, error.message, error.data) : result
  })
}
