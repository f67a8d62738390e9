import { expect, test } from 'vitest'
import { readerOver } from '../../../../test/contractReader.ts'
import { address } from '../../../../test/evmSource.ts'
import { createRpcServer, RpcFailure } from '../../../../test/rpcServer.ts'

/** A node that limits ranges of logs. `code` returns the result of `eth_getCode`, by the block and the number of the request. */
async function nodeWith(code: (block: number, request: number) => unknown) {
  const node = await createRpcServer(({ method, params }, exchange) => {
    if (method === 'eth_chainId') return '0x7a69'
    if (method === 'eth_getLogs') return new RpcFailure(-32005, 'Requested range exceeds maximum range limit')
    const requests = node.exchanges.filter(({ calls }) => calls[0]!.method === 'eth_getCode')
    return code(Number(params[1]), requests.indexOf(exchange))
  })
  return node
}

const deployed = 7
const right = (block: number) => (block >= deployed ? '0x60' : '0x')
const [final, head] = [6_000n, 6_100n]
const newer = () => ({ newer: Promise.resolve(head) })

test('default: finds the deployment with a node that limits ranges of logs', async () => {
  await using node = await nodeWith(right)
  await using reader = readerOver(node.url)
  expect(await reader.deploymentBlock(address(1), final, newer())).toBe(BigInt(deployed))
})

test.each([null, '0x6'])(
  'behavior: %j instead of the code of an old block shows no deployment block',
  async (unknown) => {
    await using node = await nodeWith((block) => (block < 5_600 ? unknown : '0x60'))
    await using reader = readerOver(node.url)
    expect(await reader.deploymentBlock(address(1), final, newer())).toBeUndefined()
  },
)

test.each([null, '0x'])('behavior: a single request answered with %j does not hide earlier blocks', async (wrong) => {
  await using node = await nodeWith((block, request) => (request === 0 ? wrong : right(block)))
  await using reader = readerOver(node.url)
  expect(await reader.deploymentBlock(address(1), final, newer())).toBeUndefined()
})

test('behavior: an endpoint that returns no old code is not the only one that decides', async () => {
  await using wrong = await nodeWith((block) => (block > final ? '0x60' : '0x'))
  await using other = await nodeWith(right)
  await using reader = readerOver([wrong.url, other.url])
  expect(await reader.deploymentBlock(address(1), final, newer())).toBeUndefined()
})

test('behavior: an endpoint without old state does not prevent the result of another', async () => {
  await using archive = await nodeWith(right)
  await using pruned = await nodeWith((block) => (block < 5_600 ? null : '0x60'))
  await using reader = readerOver([archive.url, pruned.url])
  expect(await reader.deploymentBlock(address(1), final, newer())).toBe(BigInt(deployed))
})

test.each([null, new RpcFailure(-32000, 'missing trie node 1f')])(
  'behavior: a contract that existed temporarily is found if older blocks are answered with %j',
  async (unknown) => {
    await using node = await nodeWith((block) => (block < 5_600 ? unknown : block < 5_900 ? '0x60' : '0x'))
    await using reader = readerOver(node.url)
    expect(await reader.wasContract(address(1), final)).toBe(true)
  },
)
