import type { Anvil } from '../anvil.ts'
import { multicall } from './artifacts/multicall.ts'

/** Puts `aggregate3` at Multicall3's well-known address, where anvil has no code. */
export async function installMulticall(anvil: Anvil): Promise<void> {
  await anvil.rpc('anvil_setCode', ['0xca11bde05977b3631167028862be2a173976ca11', multicall.runtime])
}
