import { RpcFailure, type RpcHandler } from '../rpcServer.ts'
import { createScriptedNode, type ScriptedLog, type ScriptedNode } from '../scriptedNode.ts'
import { isLogs, wholeTransactions } from './fields.ts'
import type { Fields, Peculiarity } from './peculiarity.ts'

/** A chain of ten blocks with these logs by block number, without the `absent` numbers. */
export function peculiarChain(peculiarity: Peculiarity, logs: ReadonlyMap<number, ScriptedLog[]>): ScriptedNode {
  const chain = createScriptedNode()
  for (let number = 1; number <= 10; number++) {
    chain.add(logs.get(number) ?? [])
    const below = chain.blocks[number - 1]!
    // The block above a missing number links to the block below it.
    if (peculiarity.absent?.includes(number)) chain.blocks[number]!.hash = below.hash
  }
  return chain
}

/** A node that returns the chain with its peculiarity. */
export function peculiarNode(peculiarity: Peculiarity, chain: ScriptedNode): RpcHandler {
  const truth = chain.handler()
  const { answer, block = (b: Fields) => b, log = (l: Fields) => l, receipts = (r: Fields[]) => r } = peculiarity
  return (call, exchange) => {
    const own = answer?.(call, chain)
    const given = own === undefined ? truth(call, exchange) : own
    if (given instanceof RpcFailure || given === null) return given
    if (call.method.startsWith('eth_getBlockBy')) {
      const whole = chain.blocks.find(({ number }) => number === Number((given as Fields).number))!
      const transactions = call.params[1] === true && wholeTransactions(whole, peculiarity.transaction ?? {})
      return block({ ...(given as Fields), ...(transactions && { transactions }) })
    }
    if (isLogs(call)) return (given as Fields[]).map(log)
    const read = (receipt: Fields) => ({ ...receipt, logs: (receipt.logs as Fields[]).map(log) })
    if (call.method === 'eth_getBlockReceipts') return receipts((given as Fields[]).map(read))
    return call.method === 'eth_getTransactionReceipt' ? receipts([read(given as Fields)])[0] : given
  }
}
