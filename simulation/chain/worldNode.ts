import { toHex } from 'viem'
import { aggregate3, multicallAddress } from '../../bench/syntheticContract.ts'
import type { Hex } from '../../src/util/hex.ts'
import { createRpcServer, RpcFailure, type RpcServer } from '../../test/rpcServer.ts'
import { createScriptedNode } from '../../test/scriptedNode.ts'
import { answerCall } from './contracts.ts'
import { contractAt, type WorldBlock, type WorldChain } from './worldChain.ts'
import { rpcReceipt, rpcTransaction, transactionsOf } from './worldTransactions.ts'

/** A node of the chain; the fault proxy in front of it makes the faults of transport and of single answers. */
export type WorldNode = {
  url: string
  /** From now on it shows the chain as it is at this moment, forks too; false: as it goes on. */
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

  /** The head of the chain as it is known here now; owners are asked at the head alone. */
  function call(to: string, data: Hex): Hex | undefined {
    const contract = contractAt(chain, to)
    const known = blocks()
    if (!contract || contract.deployedAt >= known.length) return '0x'
    return answerCall(contract, data, (id) => {
      const token = chain.ownershipAt(known.at(-1)!).get(contract.address)?.get(id)
      return token && [...token.holders.keys()][0]
    })
  }

  function ethCall({ to, data, input }: Call): unknown {
    const calldata = (data ?? input ?? '0x').toLowerCase() as Hex
    const inner = (target: string, text: string) => call(`0x${target}`, `0x${text}`)?.slice(2)
    const answer =
      to.toLowerCase() === multicallAddress
        ? aggregate3(calldata.slice(2), (target, text) => inner(target.replace('0x', ''), text))
        : call(to, calldata)?.slice(2)
    return answer === undefined ? new RpcFailure(3, 'execution reverted', '0x') : `0x${answer}`
  }

  /** Blocks that are requested with whole transactions have them, and receipts have what only their transactions decide. */
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

  function codeAt(address: string, tag: unknown): Hex {
    if (address.toLowerCase() === multicallAddress) return '0x6080'
    const number = typeof tag === 'string' && tag.startsWith('0x') ? Number(tag) : blocks().length - 1
    const contract = contractAt(chain, address)
    return contract && contract.deployedAt <= number ? '0x6080' : '0x'
  }

  const server: RpcServer = await createRpcServer(
    (asked, exchange) => {
      const [first, tag] = asked.params
      if (asked.method === 'eth_blockNumber') return toHex(blocks().length - 1)
      const past = typeof tag === 'string' && tag.startsWith('0x') && Number(tag) >= blocks().length
      if (asked.method === 'eth_call' || asked.method === 'eth_getCode') {
        if (past) return new RpcFailure(-32000, 'header not found')
        return asked.method === 'eth_call' ? ethCall(first as Call) : codeAt(first as string, tag)
      }
      if (asked.method === 'eth_getBalance') return '0x0'
      return withTransactions(asked, truthful(asked, exchange))
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
