import { MintmarkError } from '../../errors.ts'

/** A list of addresses that cannot be read at all: too large, broken, or without a single address. */
export class AddressListError extends MintmarkError {
  readonly code = 'ADDRESS_LIST'
}
