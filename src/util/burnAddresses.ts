import { BadRequestError } from './errors.ts'
import { type Address, zeroAddress } from './hex.ts'

/** Addresses without an owner, to which tokens are burned. */
const burnAddresses: ReadonlySet<Address> = new Set<Address>([
  zeroAddress,
  `0x${'0'.repeat(39)}1`,
  `0x${'0'.repeat(36)}dead`,
  `0x${'dead'.repeat(10)}`,
  '0xdead000000000000000042069420694206942069',
  '0xffffffffffffffffffffffffffffffffffffffff',
])

export const isBurnAddress = (address: Address): boolean => burnAddresses.has(address)

/** Throws BadRequestError for a burn address. `name`: of the parameter. */
export function rejectBurnAddress(wallet: Address, name = 'wallet'): void {
  if (isBurnAddress(wallet))
    throw new BadRequestError(`${name} is ${wallet}, to which tokens are burned; allowed: the address of a wallet`, {
      details: { parameter: name },
    })
}
