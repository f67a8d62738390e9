const key = {
  id: '3',
  name: 'shop',
  access: 'read',
  requestsPerSecond: null,
  burst: null,
  createdAt: '2026-01-31T12:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
}

/** Whole answers of the operations that run the server, by operationId. */
export const adminExamples: Record<string, unknown> = {
  listKeys: { result: [key], total: 1, cursor: null, page: 0, page_size: 100 },
  createKey: { ...key, key: 'mm_4rT9yQ2vX8sLk1ZbC7dFgHjKmNpQrStU' },
  revokeKey: { ...key, revokedAt: '2026-02-01T12:00:00.000Z' },
}
