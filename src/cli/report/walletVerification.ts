import type { WalletVerification } from '../../nft/verify/verifyWallet.ts'
import type { Address } from '../../util/hex.ts'
import type { Print } from './print.ts'

/** Outcome of comparing a wallet with its chain. */
export function printWalletVerification(print: Print, chain: string, wallet: Address, found: WalletVerification): void {
  const { block, holdings, contracts, transfers, mismatches, unreadable } = found
  print.line(
    `${wallet} of ${chain} at block ${block}: ${holdings} tokens of ${contracts} contracts and ${transfers} transfers compared`,
  )
  if (mismatches.length === 0) print.line('all agree')
  else
    print.table(
      ['what', 'contract', 'token', 'stored', 'chain', 'block'],
      mismatches.map((one) => [
        ...[one.kind, one.contract, one.tokenId, one.stored ?? '-', one.chain ?? '-', one.block ?? '-'],
      ]),
    )
  if (unreadable.length > 0)
    print.table(
      ['contract not queried', 'error'],
      unreadable.map(({ contract, reason }) => [contract, reason]),
    )
}
