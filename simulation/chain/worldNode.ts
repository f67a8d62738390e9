import { toHex } from 'viem'
import { aggregate3, multicallAddress } from '../../bench/syntheticContract.ts'
import type { Hex } from '../../src/util/hex.ts'
import { createRpcServer, RpcFailure, type RpcServer } from '../../test/rpcServer.ts'
import { createScriptedNode } from '../../test/scriptedNode.ts'
import { answerCall } from './contracts.ts'
import { contractAt, type WorldBlock, type WorldChain } from './worldChain.ts'
import { rpcReceipt, rpcTransaction, transactionsOf } from './worldTransactions.ts'

/** A node of the chain without errors. The fault proxy in front of it adds errors of the connection and of single responses. */
export type WorldNode = {
  url: string
  /** true: freezes the chain that the node shows, including forks; false: the node shows the current chain again. */
  hold(isHeld: boolean): void
  close(): Promise<void>
}

type Receipt = { blockHash: string; transactionHash: string }
type Call = { to: string; data?: Hex; input?: Hex }

export async function startWorldNode(chain: WorldChain): Promise<WorldNode> {
  let held: { blocks: readonly WorldBlock[]; finalized: number } | undefined
  const blocks = () => held?.blocks ?? chain.blocks
  const truthful = createScriptedNode({ blocks: 0 }).handler({
    blocks,
    finalized: () => held?.finalized ?? chain.finalized(),
  })

  /** Calls a contract at the end of `block`. */
  function call(to: string, data: Hex, block: WorldBlock): Hex | undefined {
    const contract = contractAt(chain, to)
    if (!contract || contract.deployedAt > block.number) return '0x'
    return answerCall(contract, data, (id) => {
      const token = chain.ownershipAt(block).get(contract.address)?.get(id)
      return token && [...token.holders.keys()][0]
    })
  }

  function ethCall({ to, data, input }: Call, block: WorldBlock): unknown {
    const calldata = (data ?? input ?? '0x').toLowerCase() as Hex
    const inner = (target: string, text: string) => call(`0x${target}`, `0x${text}`, block)?.slice(2)
    const answer =
      to.toLowerCase() === multicallAddress
        ? aggregate3(calldata.slice(2), (target, text) => inner(target.replace('0x', ''), text))
        : call(to, calldata, block)?.slice(2)
    return answer === undefined ? new RpcFailure(3, 'execution reverted', '0x') : `0x${answer}`
  }

  /** Adds transactions to blocks if the request wants whole ones, and the fields of the transactions to receipts. */
  function withTransactions(
    { method, params }: { method: string; params: readonly unknown[] },
    answer: unknown,
  ): unknown {
    const receiptOf = (given: Receipt) => {
      const own = transactionsOf(chain.byHash(given.blockHash)!).find(({ hash }) => hash === given.transactionHash)
      return { ...given, ...rpcReceipt(own!) }
    }
    if (!answer || answer instanceof RpcFailure) return answer
    if (method === 'eth_getBlockReceipts') return (answer as Receipt[]).map(receiptOf)
    if (method === 'eth_getTransactionReceipt') return receiptOf(answer as Receipt)
    if (!method.startsWith('eth_getBlockBy') || params[1] !== true) return answer
    const block = chain.byHash((answer as { hash: string }).hash)!
    return { ...answer, transactions: transactionsOf(block).map((own) => rpcTransaction(block, own)) }
  }

  function codeAt(address: string, { number }: WorldBlock): Hex {
    if (address.toLowerCase() === multicallAddress) return '0x6080'
    const contract = contractAt(chain, address)
    return contract && contract.deployedAt <= number ? '0x6080' : '0x'
  }

  const server: RpcServer = await createRpcServer(
    (requested, exchange) => {
      const [first, tag] = requested.params
      if (requested.method === 'eth_blockNumber') return toHex(blocks().length - 1)
      if (requested.method === 'eth_call' || requested.method === 'eth_getCode') {
        const known = blocks()
        const block = typeof tag === 'string' && tag.startsWith('0x') ? known[Number(tag)] : known.at(-1)
        if (!block) return new RpcFailure(-32000, 'header not found')
        return requested.method === 'eth_call' ? ethCall(first as Call, block) : codeAt(first as string, block)
      }
      if (requested.method === 'eth_getBalance') return '0x0'
      return withTransactions(requested, truthful(requested, exchange))
    },
    { keeps: false },
  )
  return {
    url: server.url,
    hold(isHeld) {
      held = isHeld ? { blocks: [...chain.blocks], finalized: chain.finalized() } : undefined
    },
    close: server.close,
  }
}
