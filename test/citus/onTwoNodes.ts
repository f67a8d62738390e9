import { inject, test } from 'vitest'

/** A test that needs a cluster of two nodes, set by `MINTMARK_TEST_DATABASE_URL`. It is skipped on any other server. */
export const testOnTwoNodes = test.skipIf(inject('postgres').workers.length !== 2)
