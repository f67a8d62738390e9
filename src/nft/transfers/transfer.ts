/**
 * One movement of one token (ERC-721) or of an amount of one id (ERC-1155).
 * Glossary: *mint* is a transfer from the zero address, *burn* one to it; *position* orders logs (position.ts);
 * *item* orders the movements within one log.
 */
export type Transfer = {
  position: number
  item: number
  /** Decimal digits. */
  tokenId: string
  /** 40 hex digits, lower case, without 0x. */
  from: string
  to: string
  /** Decimal digits; "1" for ERC-721. */
  amount: string
  /** 64 hex digits, without 0x. */
  transactionHash: string
}

/** The zero address as a Transfer holds it. */
export const zeroAddress = '0'.repeat(40)
