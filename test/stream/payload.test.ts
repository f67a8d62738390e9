import { decodeEventLog, formatUnits, type Hex, parseAbi, toHex } from 'viem'
import { expect, test } from 'vitest'
import type { Address } from '../../src/util/hex.ts'
import { type Anvil, startAnvil } from '../anvil.ts'
import { dataId721 } from '../contracts/artifacts/dataId721.ts'
import { decimalless20 } from '../contracts/artifacts/decimalless20.ts'
import { kitties } from '../contracts/artifacts/kitties.ts'
import { plain20 } from '../contracts/artifacts/plain20.ts'
import { plain721 } from '../contracts/artifacts/plain721.ts'
import { plain1155 } from '../contracts/artifacts/plain1155.ts'
import { silentDataId721 } from '../contracts/artifacts/silentDataId721.ts'
import { unindexed20 } from '../contracts/artifacts/unindexed20.ts'
import { type Body, keptBodies, type StreamClient, startStreamServer } from './streamServer.ts'

const settings = { chains: { local: { confirmations: 1, pollIntervalMs: 20 } } }

/** Waits until the head is followed, then returns the webhooks of a stream by block. */
async function bodiesOf(t: StreamClient, anvil: Anvil, id: string): Promise<Map<bigint, Body>> {
  const { hash } = await anvil.rpc<{ hash: string }>('eth_getBlockByNumber', ['latest', false])
  await t.untilFollowed(hash)
  return new Map((await keptBodies(t, id, 'first')).map((body) => [BigInt(body.block.number), body]))
}

const lists = [
  'logs',
  'txs',
  'txsInternal',
  'erc20Transfers',
  'erc20Approvals',
  'nftTransfers',
  'nftTokenApprovals',
  'nftApprovals',
  'nativeBalances',
]

/** Expects that `retries` is the only number in a body. */
function expectNoNumbers(value: unknown, at = ''): void {
  if (typeof value === 'number') expect(at).toBe('.retries')
  if (typeof value === 'object' && value !== null)
    for (const [name, part] of Object.entries(value)) if (name !== 'abi') expectNoNumbers(part, `${at}.${name}`)
}

test('default: every list of a webhook matches the block as the node and viem return it', async () => {
  await using anvil = await startAnvil()
  const [alice, bob, carol] = anvil.accounts as [Address, Address, Address]
  const coin = await anvil.deploy(plain20, [])
  const bare = await anvil.deploy(unindexed20, [])
  const cats = await anvil.deploy(kitties, [])
  const nft = await anvil.deploy(plain721, ['Seven', 'SVN', ''])
  const many = await anvil.deploy(plain1155, ['Many', 'MNY'])
  await using t = await startStreamServer(anvil.url, settings)
  const abi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
  const stream = await t.create({
    allAddresses: true,
    includeContractLogs: true,
    includeNativeTxs: true,
    abi,
    tag: 'a "quoted" tag',
    getNativeBalances: [{ selectors: ['$from', '$to'], type: 'tx' }],
  })
  const send = async (call: Parameters<typeof anvil.send>[0]) => (await anvil.send(call as never)).blockNumber
  const minted = await send({ to: coin, abi: plain20.abi, functionName: 'mint', args: [alice, 1_500_000n] })
  const approved = await send({ to: coin, abi: plain20.abi, functionName: 'approve', args: [bob, 77n] })
  const bareMint = await send({ to: bare, abi: unindexed20.abi, functionName: 'mint', args: [alice, 9n] })
  const cat = await send({ to: cats, abi: kitties.abi, functionName: 'mint', args: [alice, 12n] })
  const token = await send({ to: nft, abi: plain721.abi, functionName: 'mint', args: [alice, 2n ** 255n] })
  const allowed = await send({ to: nft, abi: plain721.abi, functionName: 'approve', args: [carol, 2n ** 255n] })
  const all721 = await send({ to: nft, abi: plain721.abi, functionName: 'setApprovalForAll', args: [bob, true] })
  const batch = await send({ to: many, abi: plain1155.abi, functionName: 'mintBatch', args: [bob, [1n, 2n], [5n, 6n]] })
  const all1155 = await send({ to: many, abi: plain1155.abi, functionName: 'setApprovalForAll', args: [bob, false] })
  const paid = (await anvil.sendRaw({ from: alice, to: carol, value: 123n, data: '0xabcdef' })).blockNumber

  const bodies = await bodiesOf(t, anvil, stream.id)
  const at = (block: bigint) => bodies.get(block) as Body & Record<string, Record<string, unknown>[]>
  for (const [number, body] of bodies) {
    expect(Object.keys(body)).toEqual(['confirmed', 'chainId', 'abi', 'streamId', 'tag', 'retries', 'block', ...lists])
    expect(body).toMatchObject({ chainId: '0x7a69', streamId: stream.id, tag: 'a "quoted" tag', retries: 0, abi })
    expectNoNumbers(body)
    await expectNodeAgrees(anvil, number, body)
  }

  const place = (block: bigint, contract: Address) => {
    const log = at(block).logs[0]!
    return { transactionHash: log.transactionHash, logIndex: log.logIndex, contract }
  }
  const zero = toHex(0, { size: 20 })
  const plain = { tokenName: 'Plain coin', tokenSymbol: 'PLC', tokenDecimals: '18' }
  const decimals = await anvil.read({ to: coin, abi: plain20.abi, functionName: 'decimals' })
  const symbol = await anvil.read({ to: coin, abi: plain20.abi, functionName: 'symbol' })
  const coinFields = { ...plain, tokenSymbol: symbol, tokenDecimals: String(decimals) }
  expect(at(minted).erc20Transfers).toEqual([
    {
      ...place(minted, coin),
      from: zero,
      to: alice,
      value: '1500000',
      ...coinFields,
      valueWithDecimals: formatUnits(1_500_000n, decimals),
    },
  ])
  expect(at(approved).erc20Approvals).toEqual([
    {
      ...place(approved, coin),
      owner: alice,
      spender: bob,
      value: '77',
      ...coinFields,
      valueWithDecimals: formatUnits(77n, decimals),
    },
  ])
  expect(at(bareMint).erc20Transfers).toMatchObject([{ ...place(bareMint, bare), from: zero, to: alice, value: '9' }])
  expect(at(bareMint).nftTransfers).toEqual([])
  expect(at(cat).nftTransfers).toMatchObject([
    { ...place(cat, cats), to: alice, tokenId: '12', amount: '1', tokenContractType: 'ERC721' },
  ])
  const seven = { tokenName: 'Seven', tokenSymbol: 'SVN', tokenContractType: 'ERC721' }
  expect(at(token).nftTransfers).toEqual([
    { operator: null, from: zero, to: alice, tokenId: String(2n ** 255n), amount: '1', ...place(token, nft), ...seven },
  ])
  expect(at(allowed).nftTokenApprovals).toEqual([
    {
      account: alice,
      operator: carol,
      approvedAll: false,
      tokenId: String(2n ** 255n),
      ...place(allowed, nft),
      ...seven,
    },
  ])
  expect(at(allowed).nftApprovals).toEqual({
    ERC721: [{ ...place(allowed, nft), owner: alice, approved: carol, tokenId: String(2n ** 255n) }],
    ERC1155: [],
  })
  expect(at(all721).nftTokenApprovals).toMatchObject([{ operator: bob, approvedAll: true, tokenId: null, ...seven }])
  const kinds = { tokenName: 'Many', tokenSymbol: 'MNY', tokenContractType: 'ERC1155' }
  expect(at(batch).nftTransfers).toEqual(
    [
      ['1', '5'],
      ['2', '6'],
    ].map(([tokenId, amount]) => ({
      operator: alice,
      from: zero,
      to: bob,
      tokenId,
      amount,
      ...place(batch, many),
      ...kinds,
    })),
  )
  expect(at(all1155).nftApprovals).toEqual({
    ERC721: [],
    ERC1155: [{ ...place(all1155, many), account: alice, operator: bob, approved: false }],
  })
  expect(at(paid).txs).toMatchObject([
    { fromAddress: alice, toAddress: carol, value: '123', input: '0xabcdef', receiptStatus: '1', receiptRoot: null },
  ])
  expect((at(paid).nativeBalances as unknown as { address: string }[]).map(({ address }) => address)).toEqual([
    alice,
    carol,
  ])
})

/** Compares logs, transactions, receipts and balances of a webhook with the node, field by field. */
async function expectNodeAgrees(anvil: Anvil, number: bigint, body: Body): Promise<void> {
  const at = toHex(number)
  type Fields = Record<string, Hex> & { topics: Hex[] }
  const block = await anvil.rpc<{ hash: Hex; timestamp: Hex; transactions: Fields[] }>('eth_getBlockByNumber', [
    at,
    true,
  ])
  expect(body.block).toEqual({ number: String(number), hash: block.hash, timestamp: String(BigInt(block.timestamp)) })
  const logs = await anvil.rpc<Fields[]>('eth_getLogs', [{ blockHash: block.hash }])
  expect(body.logs).toEqual(
    logs.map(({ logIndex, transactionHash, address, data, topics }) => ({
      logIndex: String(BigInt(logIndex!)),
      transactionHash,
      address,
      data,
      topic0: topics[0] ?? null,
      topic1: topics[1] ?? null,
      topic2: topics[2] ?? null,
      topic3: topics[3] ?? null,
    })),
  )
  const decimal = (value: Hex | undefined | null) =>
    value === undefined || value === null ? null : String(BigInt(value))
  expect(body.txs).toEqual(
    await Promise.all(
      block.transactions.map(async (tx) => {
        const receipt = await anvil.rpc<Fields>('eth_getTransactionReceipt', [tx.hash])
        return {
          hash: tx.hash,
          gas: decimal(tx.gas),
          gasPrice: decimal(tx.gasPrice),
          nonce: decimal(tx.nonce),
          input: tx.input,
          transactionIndex: decimal(tx.transactionIndex),
          fromAddress: tx.from,
          toAddress: tx.to ?? null,
          value: decimal(tx.value),
          type: decimal(tx.type),
          v: decimal(tx.v),
          r: decimal(tx.r),
          s: decimal(tx.s),
          receiptCumulativeGasUsed: decimal(receipt.cumulativeGasUsed),
          receiptGasUsed: decimal(receipt.gasUsed),
          receiptContractAddress: receipt.contractAddress ?? null,
          receiptRoot: null,
          receiptStatus: decimal(receipt.status),
        }
      }),
    ),
  )
  for (const { address, balance } of body.nativeBalances as { address: string; balance: string }[])
    expect(balance).toBe(decimal(await anvil.rpc<Hex>('eth_getBalance', [address, at])))
}

test('behavior: a Transfer with an unindexed last argument is a token or coin transfer, depending on the contract', async () => {
  await using anvil = await startAnvil()
  const [alice, bob] = anvil.accounts as [Address, Address]
  const [output, ignored, coins] = [
    await anvil.deploy(dataId721, []),
    await anvil.deploy(silentDataId721, []),
    await anvil.deploy(decimalless20, []),
  ]
  await using t = await startStreamServer(anvil.url, settings)
  const abi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])
  const { id } = await t.create({ allAddresses: true, includeContractLogs: true, abi })
  const send = async (call: Parameters<typeof anvil.send>[0]) => (await anvil.send(call as never)).blockNumber
  for (const to of [output, ignored]) {
    const minted = await send({ to, abi: dataId721.abi, functionName: 'mintBatch', args: [alice, 9n, 1n] })
    const approved = await send({ to, abi: dataId721.abi, functionName: 'approve', args: [bob, 9n] })
    const bodies = await bodiesOf(t, anvil, id)
    expect(bodies.get(minted)).toMatchObject({
      erc20Transfers: [],
      nftTransfers: [{ contract: to, to: alice, tokenId: '9', amount: '1', tokenContractType: 'ERC721' }],
    })
    expect(bodies.get(approved)).toMatchObject({
      erc20Approvals: [],
      nftApprovals: { ERC721: [{ contract: to, owner: alice, approved: bob, tokenId: '9' }] },
    })
  }
  const minted = await send({ to: coins, abi: decimalless20.abi, functionName: 'mint', args: [alice, 9n] })
  expect((await bodiesOf(t, anvil, id)).get(minted)).toMatchObject({
    erc20Transfers: [{ contract: coins, to: alice, value: '9', tokenDecimals: '', valueWithDecimals: null }],
    nftTransfers: [],
  })
})

const erc20Abi = parseAbi(['event Transfer(address indexed from, address indexed to, uint256 value)'])

test('behavior: a filter passes exactly the logs whose arguments match it, as decoded by viem', async () => {
  await using anvil = await startAnvil()
  const coin = await anvil.deploy(plain20, [])
  await using t = await startStreamServer(anvil.url, settings)
  const topic0 = 'Transfer(address,address,uint256)'
  const zero = toHex(0, { size: 20 })
  const filter = { and: [{ eq: ['from', zero] }, { or: [{ gte: ['value', '700'] }, { lt: ['value', '100'] }] }] }
  const stream = await t.create({
    includeContractLogs: true,
    topic0: [topic0],
    abi: erc20Abi,
    advancedOptions: [{ topic0, filter, includeNativeTxs: true }],
  })
  await t.add(stream.id, coin)
  for (const value of [0n, 50n, 99n, 100n, 101n, 699n, 700n, 5_000n])
    await anvil.send({ to: coin, abi: plain20.abi, functionName: 'mint', args: [anvil.accounts[0]!, value] })
  await anvil.send({ to: coin, abi: plain20.abi, functionName: 'transfer', args: [anvil.accounts[1]!, 800n] })
  const bodies = [...(await bodiesOf(t, anvil, stream.id)).values()]
  const values = bodies.flatMap(({ logs }) =>
    (logs as unknown as { topic0: Hex; topic1: Hex; topic2: Hex; data: Hex }[]).map(
      (log) =>
        decodeEventLog({ abi: erc20Abi, data: log.data, topics: [log.topic0, log.topic1, log.topic2] }).args.value,
    ),
  )
  expect(values).toEqual([0n, 50n, 99n, 700n, 5_000n])
  expect(bodies.map(({ txs }) => txs.length)).toEqual([1, 1, 1, 1, 1])
})
