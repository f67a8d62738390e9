import {
  type Abi,
  type ContractConstructorArgs,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
} from 'viem'
import { type AnvilProcess, startAnvilProcess } from '../src/cli/demo/anvilProcess.ts'
import type { Address, Hex } from '../src/util/hex.ts'
import { JsonRpcFault, postJsonRpc } from './jsonRpc.ts'

export type AnvilOptions = {
  /** A free port by default. */
  port?: number
  chainId?: number
  /** Seconds between blocks. If omitted, anvil mines each transaction immediately. */
  blockTime?: number
  hardfork?: 'shanghai' | 'cancun' | 'prague'
  gasLimit?: bigint
  /** `finalized` is the head − 2 × this; anvil's own default is 32. */
  slotsInAnEpoch?: number
  args?: readonly string[]
}

export type Artifact = { abi: Abi; bytecode: Hex }

/** A transaction of an unlocked account; `gas` defaults to 16,000,000. */
export type Transaction = { from?: Address; to?: Address; data?: Hex; value?: bigint; gas?: bigint }

export type FunctionCall<abi extends Abi, name extends ContractFunctionName<abi>> = {
  to: Address
  abi: abi
  functionName: name
  args?: ContractFunctionArgs<abi, 'pure' | 'view' | 'nonpayable' | 'payable', name>
  from?: Address
  gas?: bigint
}

export type Receipt = { blockNumber: bigint; blockHash: Hex; status: 'success' | 'reverted'; contractAddress: Address }

/** A transaction reverted although the test needed it to succeed. */
export class RevertedError extends Error {}

/** A real chain for one test. It ends with the test's process, even if that process is killed. */
export type Anvil = {
  url: string
  pid: number
  /** Ten unlocked accounts, lower case. */
  accounts: readonly Address[]
  rpc<T = unknown>(method: string, params?: readonly unknown[]): Promise<T>
  /** Mines `count` blocks. While automine is off, the first block takes the transactions that are pending in the pool. */
  mine(count?: number): Promise<void>
  blockNumber(): Promise<bigint>
  setAutomine(on: boolean): Promise<void>
  /** Deploys and waits for the block, so automine must be on or a block time set. Throws RevertedError. */
  deploy<artifact extends Artifact>(
    artifact: artifact,
    args: ContractConstructorArgs<artifact['abi']>,
    options?: { from?: Address; gas?: bigint },
  ): Promise<Address>
  /** Sends and waits for the receipt, as `deploy` does. */
  send<const abi extends Abi, name extends ContractFunctionName<abi>>(call: FunctionCall<abi, name>): Promise<Receipt>
  sendRaw(transaction: Transaction): Promise<Receipt>
  /** Puts a transaction into the pool and returns its hash. Even with automine on, the transaction may not be mined yet. */
  submit<const abi extends Abi, name extends ContractFunctionName<abi>>(call: FunctionCall<abi, name>): Promise<Hex>
  /** Puts transactions of the first account into the pool, in this order, and returns their hashes. */
  submitAll(transactions: readonly Transaction[]): Promise<Hex[]>
  receipt(hash: Hex): Promise<Receipt>
  receipts(hashes: readonly Hex[]): Promise<Receipt[]>
  read<const abi extends Abi, name extends ContractFunctionName<abi, 'pure' | 'view'>>(
    call: FunctionCall<abi, name> & { block?: bigint },
  ): Promise<ContractFunctionReturnType<abi, 'pure' | 'view', name>>
  /** Replaces the last `depth` blocks; each of `transactions` goes into the new block at its offset (0 is the oldest). */
  reorg(depth: number, transactions?: readonly (readonly [Transaction, number])[]): Promise<void>
  /** Removes the last `depth` blocks. */
  rollback(depth: number): Promise<void>
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const defaultGas = 16_000_000n

/** Starts anvil on a free port of loopback, which takes 30–140 ms. The default block gas limit is 1,000,000,000. */
export async function startAnvil(options: AnvilOptions = {}): Promise<Anvil> {
  const args = [
    '--gas-limit',
    String(options.gasLimit ?? 1_000_000_000n),
    '--chain-id',
    String(options.chainId ?? 31337),
    '--no-request-size-limit',
    ...(options.hardfork ? ['--hardfork', options.hardfork] : []),
    ...(options.blockTime ? ['--block-time', String(options.blockTime)] : []),
    ...(options.slotsInAnEpoch ? ['--slots-in-an-epoch', String(options.slotsInAnEpoch)] : []),
    ...(options.args ?? []),
  ]
  const process = await startAnvilProcess({ args, port: options.port ?? 0 })
  return connect(process)
}

/** A chain that another program started and stops. */
export const connectAnvil = (url: string) => connect({ url, pid: 0, stop: async () => undefined })

async function connect(process: Pick<AnvilProcess, 'url' | 'pid' | 'stop'>): Promise<Anvil> {
  const rpcAll = async <T>(calls: readonly { method: string; params: readonly unknown[] }[]): Promise<T[]> => {
    const answers = calls.length > 0 ? await postJsonRpc(process.url, calls) : []
    for (const answer of answers) if (answer instanceof JsonRpcFault) throw answer
    return answers as T[]
  }
  const rpc = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    const [answer] = await rpcAll<T>([{ method, params }])
    return answer as T
  }
  const accounts = (await rpc<Address[]>('eth_accounts')).map((account) => account.toLowerCase() as Address)
  const first = accounts[0]!

  const submitRaw = (transaction: Transaction) =>
    rpc<Hex>('eth_sendTransaction', [quantities({ from: first, gas: defaultGas, ...transaction })])

  const receipts = async (hashes: readonly Hex[]): Promise<Receipt[]> => {
    const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
    // eth_sendTransaction returns before the receipt exists.
    for (;;) {
      const found = await rpcAll<Record<string, Hex> | null>(calls)
      const receipts = found.flatMap((answer) => (answer ? [toReceipt(answer)] : []))
      if (receipts.length === hashes.length) return receipts
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
  const receipt = async (hash: Hex) => (await receipts([hash]))[0]!
  const sendRaw = async (transaction: Transaction) => {
    const mined = await receipt(await submitRaw(transaction))
    if (mined.status === 'reverted')
      throw new RevertedError(
        `transaction to ${transaction.to ?? 'a new contract'} reverted in block ${mined.blockNumber}`,
      )
    return mined
  }
  const stop = () => process.stop()

  return {
    url: process.url,
    pid: process.pid,
    accounts,
    rpc,
    mine: async (count = 1) => void (await rpc('anvil_mine', [`0x${count.toString(16)}`])),
    blockNumber: async () => BigInt(await rpc<Hex>('eth_blockNumber')),
    setAutomine: async (on) => void (await rpc('evm_setAutomine', [on])),
    deploy: async (artifact, args, options) => {
      const data = encodeDeployData({
        abi: artifact.abi,
        bytecode: artifact.bytecode,
        args: args as readonly unknown[],
      })
      return (await sendRaw({ ...options, data })).contractAddress
    },
    send: (call) => sendRaw(toTransaction(call as AnyCall)),
    sendRaw,
    submit: (call) => submitRaw(toTransaction(call as AnyCall)),
    submitAll: async (transactions) => {
      // The nonces set the order, because the node may process the calls of one request in any order.
      const next = Number(await rpc<Hex>('eth_getTransactionCount', [first, 'pending']))
      return rpcAll<Hex>(
        transactions.map((transaction, i) => ({
          method: 'eth_sendTransaction',
          params: [
            { ...quantities({ from: first, gas: defaultGas, ...transaction }), nonce: `0x${(next + i).toString(16)}` },
          ],
        })),
      )
    },
    receipt,
    receipts,
    read: async (call) => {
      const { block, ...rest } = call as AnyCall & { block?: bigint }
      const at = block === undefined ? 'latest' : `0x${block.toString(16)}`
      const data = await rpc<Hex>('eth_call', [quantities(toTransaction(rest)), at])
      return decodeFunctionResult({ abi: rest.abi, functionName: rest.functionName, data }) as never
    },
    reorg: async (depth, transactions = []) => {
      const pairs = transactions.map(([t, block]) => [quantities({ from: first, gas: defaultGas, ...t }), block])
      await rpc('anvil_reorg', [depth, pairs])
    },
    rollback: async (depth) => void (await rpc('anvil_rollback', [depth])),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

type AnyCall = { to: Address; abi: Abi; functionName: string; args?: readonly unknown[]; from?: Address; gas?: bigint }

/** A call as a transaction, for `reorg` and `sendRaw`. */
export function toTransaction(call: AnyCall): Transaction {
  const { to, abi, functionName, args = [], from, gas } = call
  const data = encodeFunctionData({ abi, functionName, args })
  return { to, data, ...(from && { from }), ...(gas && { gas }) }
}

function toReceipt(found: Record<string, Hex>): Receipt {
  return {
    blockNumber: BigInt(found.blockNumber!),
    blockHash: found.blockHash!,
    status: found.status === '0x1' ? 'success' : 'reverted',
    contractAddress: found.contractAddress?.toLowerCase() as Address,
  }
}

function quantities(transaction: Transaction): Record<string, string> {
  return Object.fromEntries(
    Object.entries(transaction).map(([key, value]) => [
      key,
      typeof value === 'bigint' ? `0x${value.toString(16)}` : value,
    ]),
  )
}
