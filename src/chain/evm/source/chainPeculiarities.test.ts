import { expect, test } from 'vitest'
import { everything, mint, nft, openSource, other, topics, watch } from '../../../../test/evmSource.ts'
import { systemBlock } from '../../../../test/peculiarChains/fields.ts'
import { layerOnes } from '../../../../test/peculiarChains/layerOnes.ts'
import { ownForms } from '../../../../test/peculiarChains/ownForms.ts'
import { peculiarChain, peculiarNode } from '../../../../test/peculiarChains/peculiarNode.ts'
import { rollups } from '../../../../test/peculiarChains/rollups.ts'
import { createRpcServer } from '../../../../test/rpcServer.ts'

const peculiarities = [...layerOnes, ...rollups, ...ownForms]

const logs = new Map([
  [5, [mint(other, 9), mint(nft, 1)]],
  [7, [mint(nft, 2), mint(nft, 3)]],
  [10, [mint(nft, 4)]],
])
const ids = (found: readonly { topics: readonly string[] }[]) => found.map((log) => Number(log.topics[1]))

test('default: covers at least fifty chains, each with a source', () => {
  expect(new Set(peculiarities.map(({ chain }) => chain)).size).toBeGreaterThanOrEqual(50)
  for (const { source } of peculiarities) expect(source).toMatch(/\S/)
})

test.each(peculiarities)('behavior: $chain, $what', async (peculiarity) => {
  const chain = peculiarChain(peculiarity, logs)
  await using server = await createRpcServer(peculiarNode(peculiarity, chain))
  await using over = openSource([server], { finalityDepth: 2 })
  const { head } = await over.source.head()
  expect(head.number).toBe(10n)
  const headers = await over.source.headers(0n, 10n)
  expect(headers.map(({ number }) => Number(number))).toEqual(Array.from({ length: 11 }, (_, i) => i))

  // Following reads every block by its hash, with the topics of two watched contracts and with all logs.
  const watching = watch(nft, other)
  const system = (number: number) => (peculiarity.systemLog && number === systemBlock ? [77] : [])
  for (const header of headers) {
    const number = Number(header.number)
    const expected = [...(logs.get(number) ?? []).map((log) => Number(log.topics[1])), ...system(number)]
    for (const options of [watching, everything]) {
      const found = await over.source.blockLogs(header, options)
      expect(ids(found), `block ${number}`).toEqual(expected)
      expect(found.map((log) => Number(log.logIndex))).toEqual(expected.map((_, i) => i))
    }
    expect(await over.source.receipts(header)).toHaveLength(logs.get(number)?.length ?? 0)
  }

  // History reads all logs of one contract, in as many ranges as the node requires. One range ends at the block below the head.
  const read: number[] = []
  for (let from = 0n; from <= 10n; ) {
    const answer = await over.source.logs({ address: nft, topics, from, to: from < 10n ? 9n : 10n })
    expect(answer.toHash).toBe(headers[Number(answer.to)]!.hash)
    read.push(...ids(answer.logs))
    from = answer.to + 1n
  }
  expect(read).toEqual([1, ...system(systemBlock), 2, 3, 4])

  const transactions = await over.source.transactions(headers[10]!)
  expect(transactions).toMatchObject([{ to: null, ...peculiarity.transaction }])
})
