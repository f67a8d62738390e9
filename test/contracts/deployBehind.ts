import { type Abi, encodeFunctionData, pad } from 'viem'
import type { Address } from '../../src/util/hex.ts'
import type { Anvil, Artifact } from '../anvil.ts'
import { initializable20 } from './artifacts/initializable20.ts'
import { initializable721 } from './artifacts/initializable721.ts'
import { proxy } from './artifacts/proxy.ts'

const initialize = (abi: Abi, name: string, symbol: string) =>
  encodeFunctionData({ abi, functionName: 'initialize', args: [name, symbol] })

/** An ERC-721 behind an ERC-1967 proxy; call it with the abi of `initializable721`. */
export async function deployProxied721(anvil: Anvil, name: string, symbol: string): Promise<Address> {
  return deployProxy(anvil, initializable721, name, symbol)
}

/** An ERC-20 behind an ERC-1967 proxy; call it with the abi of `initializable20`. */
export async function deployProxied20(anvil: Anvil, name: string, symbol: string): Promise<Address> {
  return deployProxy(anvil, initializable20, name, symbol)
}

/** An ERC-721 as an EIP-1167 minimal clone; call it with the abi of `initializable721`. */
export async function deployCloned721(anvil: Anvil, name: string, symbol: string): Promise<Address> {
  const contractAddress = await cloneOf(anvil, await anvil.deploy(initializable721, []))
  await anvil.sendRaw({ to: contractAddress, data: initialize(initializable721.abi, name, symbol) })
  return contractAddress
}

/** An EIP-1167 minimal clone that nobody initialised. */
export async function cloneOf(anvil: Anvil, implementation: Address): Promise<Address> {
  const { contractAddress } = await anvil.sendRaw({
    data: `0x3d602d80600a3d3981f3363d3d373d3d3d363d73${implementation.slice(2)}5af43d82803e903d91602b57fd5bf3`,
  })
  return contractAddress
}

async function deployProxy(anvil: Anvil, artifact: Artifact, name: string, symbol: string): Promise<Address> {
  const implementation = await anvil.deploy(artifact, [])
  return anvil.deploy(proxy, [implementation, initialize(artifact.abi, name, symbol)])
}

/** The slot in which an ERC-1967 proxy stores the address of its implementation. */
const implementationSlot = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'

/** Changes the implementation of a proxy. */
export async function upgradeProxy(anvil: Anvil, to: Address, implementation: Address): Promise<void> {
  await anvil.rpc('anvil_setStorageAt', [to, implementationSlot, pad(implementation)])
}
