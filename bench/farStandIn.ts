import { createFarNode, type FarChain, type NodeRules } from '../test/farNode.ts'
import { createRpcServer } from '../test/rpcServer.ts'
import { answer, childInput } from './child.ts'
import { seededRandom } from './seededRandom.ts'
import { aggregate3, callContract, multicallAddress } from './syntheticContract.ts'

/** A node with a long chain, in a separate process. It responds to any message with its counts of calls. */
export type FarStandInInput = { rules: NodeRules; first: number; blocks: number; mints: number }
export type FarAddress = { url: string; contract: string; tokens: number }

const { rules, first, blocks, mints } = childInput<FarStandInInput>()
const contract = `0x${'fa4'.padEnd(40, '0')}` as const
const random = seededRandom(7)
/** Over a third of the mints are in the first twentieth of the blocks, as of a collection that sold out. The others are anywhere. */
const blockOfMint = () => first + Math.floor(random() * blocks * (random() < 0.35 ? 0.05 : 1))
const chain: FarChain = {
  ...{ contract, first, finalized: first + blocks - 1 },
  mints: Array.from({ length: mints }, blockOfMint).sort((a, b) => a - b),
}
function call(to: string, data: string): string | undefined {
  if (to === multicallAddress) return aggregate3(data, call)
  return to === contract ? callContract(data, { name: 'Far Apes', uris: { at: 'nowhere' }, multiple: false }) : ''
}
const { handler, counts } = createFarNode(chain, rules, call)
const server = await createRpcServer(handler, { keeps: false })
process.on('message', () => answer(counts))
process.on('SIGTERM', () => process.exit(0))
process.on('disconnect', () => process.exit(0))
answer({ url: server.url, contract, tokens: mints })
