/** The first number of the locks, apart from those of other locks. */
const lockClass = 7206

/**
 * SQL of the two numbers of the advisory lock that a transaction has which writes what wallets have of a collection. Collections whose ids differ by a multiple of
 * 2^31 share one.
 */
export const indexingLock = (collectionId: string) => `${lockClass}, (${collectionId} & 2147483647)::int4`
