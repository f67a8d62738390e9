import { updateStreamSchema } from '../../src/stream/demand.ts'
import { accountAddress, type ScriptedStreams } from './scriptedStreams.ts'

/** The id of the scripted chain, as in API responses. */
export const chainId = '0x7a69'

/** Adds accounts to a stream. */
export const add = (t: ScriptedStreams, id: string, ...accounts: number[]) =>
  t.demand.addAddresses(id, accounts.map(accountAddress))

/** The same, with the accounts' history from a block on. */
export const addFrom = async (t: ScriptedStreams, id: string, from: bigint, ...accounts: number[]) =>
  t.demand.addAddresses(id, accounts.map(accountAddress), { [chainId]: String(from) })

export const update = (t: ScriptedStreams, id: string, body: object) =>
  t.demand.update(id, updateStreamSchema.parse(body))
