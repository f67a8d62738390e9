import { createFarNode } from '../test/farNode.ts'
import { createRpcServer } from '../test/rpcServer.ts'
import { answer, childInput } from './child.ts'
import { callContract } from './syntheticContract.ts'

/** An in-memory node whose chain has one contract. Each block mints the same number of tokens, to the holders in turn. */
export type WalletStandInInput = { blocks: number; mints: number; holders: number }

const { blocks, mints, holders } = childInput<WalletStandInInput>()
const contract = `0x${'fa4'.padEnd(40, '0')}` as const
const perBlock = mints / blocks
const { handler } = createFarNode(
  {
    ...{ contract, first: 0, finalized: blocks - 1, holders },
    mints: Array.from({ length: mints }, (_, i) => Math.floor(i / perBlock)),
  },
  {},
  (to, data) =>
    to === contract ? callContract(data, { name: 'Far Apes', uris: { at: 'nowhere' }, multiple: false }) : '',
)
const server = await createRpcServer(handler, { keeps: false })
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
answer({ url: server.url })
