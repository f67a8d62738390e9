import { inject, test } from 'vitest'

/** A test that wants a cluster of two nodes, by `MINTMARK_TEST_DATABASE_URL`; skipped on anything else. */
export const testOnTwoNodes = test.skipIf(inject('postgres').workers.length !== 2)
