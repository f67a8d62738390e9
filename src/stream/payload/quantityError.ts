import { MintmarkError } from '../../errors.ts'

/** A node gave something else where a number belongs. A short word of it is told; what is longer may be anything. */
export class QuantityError extends MintmarkError {
  readonly code = 'QUANTITY'

  constructor(quantity: string) {
    super(`the node gives ${/^\w{1,12}$/.test(quantity) ? `"${quantity}"` : 'a text'} where a number belongs`)
  }
}
