import { createHash } from 'node:crypto'
import { encodeFunctionData, parseAbi } from 'viem'
import { type Address, type Hex, zeroAddress } from '../src/util/hex.ts'
import { JsonRpcFault, postJsonRpc } from './jsonRpc.ts'
import { readTransfers, type Transfer } from './readTransfers.ts'

/** A token as `GET /api/v2/nft/{address}` must list it, without the members that come from its metadata. */
export type TrueRecord = {
  token_address: Address
  token_id: string
  token_hash: string
  owner_of: Address | null
  minter_address: Address | null
  block_number: string
  block_number_minted: string
  contract_type: 'ERC721' | 'ERC1155'
  amount: string
}

export type TrueBalance = { tokenId: bigint; holder: Address; amount: bigint }

export type TruthOptions = {
  /** The source of ownership: the contract at that block, or the sum of its logs. Logs are for contracts that cannot be queried. */
  ownership?: 'contract' | 'logs'
  /** The data of transfers of the ERC-20 shape is a token id. */
  idInData?: boolean
}

const abi = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function balanceOf(address, uint256) view returns (uint256)',
])
const callsPerRequest = 500

/**
 * The NFTs of a contract at a block (the head if omitted), found without the product's code.
 * It queries the contract for every token that was ever in a log, one by one. Sorted by token hash, descending. 10,000 tokens take 1 s.
 */
export async function readTruth(
  url: string,
  address: Address,
  atBlock?: bigint,
  options: TruthOptions = {},
): Promise<TrueRecord[]> {
  const block = atBlock ?? (await readHead(url))
  const transfers = await readTransfers(url, address, block, options.idInData)
  const byToken = Map.groupBy(transfers, (transfer) => transfer.tokenId)
  // A token is ERC-1155 once an event of that standard has moved some of it.
  const erc1155 = new Set(
    transfers.filter(({ standard, amount }) => standard === 'ERC1155' && amount > 0n).map(({ tokenId }) => tokenId),
  )
  const standardOf = (tokenId: bigint) => (erc1155.has(tokenId) ? 'ERC1155' : 'ERC721')
  const deciding = transfers.filter(({ tokenId, standard }) => standard === standardOf(tokenId))
  const owned = [...byToken.keys()].filter((tokenId) => !erc1155.has(tokenId))
  const balances =
    options.ownership === 'logs'
      ? balancesByLogs(Map.groupBy(deciding, ({ tokenId }) => tokenId))
      : [
          ...(await balancesByOwnerOf(url, address, block, owned)),
          ...(await balancesByBalanceOf(
            url,
            address,
            block,
            deciding.filter(({ standard }) => standard === 'ERC1155'),
          )),
        ]
  const byId = Map.groupBy(balances, (balance) => balance.tokenId)
  const records: TrueRecord[] = []
  for (const [tokenId, moves] of byToken) {
    const held = byId.get(tokenId) ?? []
    const some = moves.filter(({ amount }) => amount > 0n)
    const mint = some.find(({ from }) => from === zeroAddress)
    const [first, last] = [some[0]!, some.at(-1)!]
    if (held.length > 0)
      records.push({
        token_address: address,
        token_id: String(tokenId),
        token_hash: createHash('md5').update(`${address}${tokenId}`).digest('hex'),
        owner_of: held.length === 1 ? held[0]!.holder : null,
        minter_address: mint?.to ?? null,
        block_number: String(last.block),
        block_number_minted: String((mint ?? first).block),
        contract_type: standardOf(tokenId),
        amount: String(held.reduce((sum, balance) => sum + balance.amount, 0n)),
      })
  }
  return records.sort((a, b) => (a.token_hash < b.token_hash ? 1 : -1))
}

/** Every holder of every id with its amount above zero, as the contract reports at a block. */
export async function readBalances(url: string, address: Address, atBlock: bigint): Promise<TrueBalance[]> {
  const transfers = await readTransfers(url, address, atBlock)
  return balancesByBalanceOf(
    url,
    address,
    atBlock,
    transfers.filter((transfer) => transfer.standard === 'ERC1155'),
  )
}

export async function readHead(url: string): Promise<bigint> {
  const [head] = await postJsonRpc(url, [{ method: 'eth_blockNumber', params: [] }])
  if (head instanceof JsonRpcFault) throw head
  return BigInt(head as Hex)
}

async function balancesByOwnerOf(url: string, to: Address, block: bigint, ids: bigint[]): Promise<TrueBalance[]> {
  const answers = await callAll(
    url,
    block,
    ids.map((id) => ({ to, data: encodeFunctionData({ abi, functionName: 'ownerOf', args: [id] }) })),
  )
  return ids.flatMap((tokenId, n) => {
    // A burned token's ownerOf reverts, or returns the zero address.
    const holder: Address = answers[n] === undefined ? zeroAddress : `0x${answers[n].slice(-40)}`
    return holder === zeroAddress ? [] : [{ tokenId, holder, amount: 1n }]
  })
}

async function balancesByBalanceOf(
  url: string,
  to: Address,
  block: bigint,
  transfers: Transfer[],
): Promise<TrueBalance[]> {
  const pairs = new Map<string, { tokenId: bigint; holder: Address }>()
  for (const { tokenId, from, to } of transfers)
    for (const holder of [from, to]) if (holder !== zeroAddress) pairs.set(`${tokenId} ${holder}`, { tokenId, holder })
  const list = [...pairs.values()]
  const answers = await callAll(
    url,
    block,
    list.map(({ tokenId, holder }) => ({
      to,
      data: encodeFunctionData({ abi, functionName: 'balanceOf', args: [holder, tokenId] }),
    })),
  )
  return list.map((pair, n) => ({ ...pair, amount: BigInt(answers[n] ?? 0) })).filter((balance) => balance.amount > 0n)
}

function balancesByLogs(byToken: Map<bigint, Transfer[]>): TrueBalance[] {
  return [...byToken].flatMap(([tokenId, moves]) => {
    const last = moves.at(-1)!
    if (last.standard === 'ERC721') return last.to === zeroAddress ? [] : [{ tokenId, holder: last.to, amount: 1n }]
    const sums = new Map<Address, bigint>()
    for (const { from, to, amount } of moves) {
      sums.set(from, (sums.get(from) ?? 0n) - amount)
      sums.set(to, (sums.get(to) ?? 0n) + amount)
    }
    sums.delete(zeroAddress)
    return [...sums].filter(([, amount]) => amount > 0n).map(([holder, amount]) => ({ tokenId, holder, amount }))
  })
}

/** Results of at least one word; undefined if the call failed. An error of the node itself is thrown. */
async function callAll(
  url: string,
  block: bigint,
  calls: readonly { to: Address; data: Hex }[],
): Promise<(Hex | undefined)[]> {
  const at = `0x${block.toString(16)}`
  const answers: (Hex | undefined)[] = []
  for (let first = 0; first < calls.length; first += callsPerRequest) {
    const part = calls.slice(first, first + callsPerRequest)
    const results = await postJsonRpc(
      url,
      part.map((call) => ({ method: 'eth_call', params: [call, at] })),
    )
    for (const result of results) {
      // Code 3 is a revert, -32603 another failure of the execution. Any other code means that the node cannot read this block.
      if (result instanceof JsonRpcFault && ![3, -32603].includes(result.rpcCode)) throw result
      answers.push(result instanceof JsonRpcFault || (result as Hex).length < 66 ? undefined : (result as Hex))
    }
  }
  return answers
}
