/**
 * SQL condition: a row of `collection` is one of a collection. The others are contracts that wallets have tokens of and that nobody requested
 * (`nft/walletHistory`): there may be millions, so the indexes of lists omit them, and statements that read many collections have this condition.
 */
export const isCollection = (row = 'collection') => `${row}.status <> 'known'`
