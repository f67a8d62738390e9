/**
 * SQL condition: a row of `collection` is a requested collection. Others are contracts of wallets' tokens that nobody
 * requested (`nft/walletHistory`). There may be millions, so indexes of lists omit them, and statements on many
 * collections have this condition.
 */
export const isCollection = (row = 'collection') => `${row}.status <> 'known'`
