import { encodeFunctionData } from 'viem'
import { expect, test } from 'vitest'
import { startAnvil } from '../../../../test/anvil.ts'
import { inFrontOf, readerOver } from '../../../../test/contractReader.ts'
import { plain721 } from '../../../../test/contracts/artifacts/plain721.ts'
import { RpcFailure } from '../../../../test/rpcServer.ts'
import type { Hex } from '../../../util/hex.ts'

const message = 'something went wrong'

test.each([message, 'context deadline exceeded'])(
  'error: a node that answers each call with %j shows nothing about a contract',
  async (text) => {
    await using anvil = await startAnvil()
    const collection = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
    const args = [anvil.accounts[1]!, 1n] as const
    await anvil.send({ to: collection, abi: plain721.abi, functionName: 'mint', args })
    let fails = true
    await using server = await inFrontOf(anvil, ({ method }) =>
      fails && method === 'eth_call' ? new RpcFailure(-32000, text) : undefined,
    )
    await using reader = readerOver(server.url)
    await expect(reader.identify(collection)).rejects.toThrow(text)
    await expect(reader.hasToken(collection, [1n])).rejects.toThrow(text)
    fails = false
    expect(await reader.identify(collection)).toMatchObject({ standard: 'ERC721', name: 'Plain' })
    expect(await reader.hasToken(collection, [1n])).toBe(true)
  },
)

test.each([-32000, -32015, -32603])(
  'behavior: a failure of unknown name is the contract’s own if the node executes other calls; code %i',
  async (code) => {
    await using anvil = await startAnvil()
    const collection = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
    await using server = await inFrontOf(anvil, ({ method, params }) =>
      method === 'eth_call' && (params[0] as { to: string }).to === collection
        ? new RpcFailure(code, message)
        : undefined,
    )
    await using reader = readerOver(server.url)
    expect(await reader.identify(collection)).toEqual({ hasCode: true, standard: undefined, name: null, symbol: null })
    expect(await reader.hasToken(collection, [1n])).toBe(false)
  },
)

test.each([0, 1])(
  'error: an answer of one node says nothing about the failure of another; first: %i',
  async (first) => {
    await using anvil = await startAnvil()
    const collection = await anvil.deploy(plain721, ['Plain', 'PLN', ''])
    await using busy = await inFrontOf(anvil, ({ method, params }) =>
      method === 'eth_call' && (params[0] as { to: string }).to === collection
        ? new RpcFailure(-32000, 'service unavailable')
        : undefined,
    )
    await using broken = await inFrontOf(anvil, ({ method }) =>
      method === 'eth_call' ? new RpcFailure(-32000, message) : undefined,
    )
    const urls = [busy.url, broken.url]
    await using reader = readerOver([urls[first]!, urls[1 - first]!])
    await expect(reader.identify(collection)).rejects.toThrow()
    await expect(reader.hasToken(collection, [1n])).rejects.toThrow()
  },
)

test.each([1, Number.POSITIVE_INFINITY])(
  'behavior: an answer with half a byte is requested again, and shows nothing lasting; such answers: %d',
  async (times) => {
    await using anvil = await startAnvil()
    const { abi } = plain721
    const collection = await anvil.deploy(plain721, ['Plain', 'PLN', 'ipfs://base/'])
    await anvil.send({ to: collection, abi, functionName: 'mint', args: [anvil.accounts[1]!, 1n] })
    const cut = new Map(
      [
        encodeFunctionData({ abi, functionName: 'tokenURI', args: [1n] }),
        encodeFunctionData({ abi, functionName: 'name' }),
      ].map((data) => [data, times]),
    )
    await using server = await inFrontOf(anvil, async ({ method, params }) => {
      const data = method === 'eth_call' ? (params[0] as { data: Hex }).data : '0x'
      const left = cut.get(data) ?? 0
      cut.set(data, left - 1)
      return left > 0 ? (await anvil.rpc<string>(method, params)).slice(0, 101) : undefined
    })
    await using reader = readerOver(server.url)
    const isOnce = times === 1
    expect(await reader.tokenUris(collection, 'ERC721', [1n])).toEqual([
      isOnce ? 'ipfs://base/1' : { lasting: false, reason: 'is answered with half a byte' },
    ])
    expect(await reader.identify(collection)).toMatchObject({ hasCode: true, name: isOnce ? 'Plain' : null })
  },
)
