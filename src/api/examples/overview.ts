/** Values of sixty minutes, the earlier ones zero. */
const minutes = (...last: number[]) => [...Array<number>(60 - last.length).fill(0), ...last]

const running = {
  id: '6a1f7a5e-3c1d-4a52-9f0e-2b8d7c4e9f10',
  role: 'all',
  version: '1.4.0',
  host: 'indexer-1',
  pid: 4_211,
  startedAt: '2026-01-31T08:00:00.000Z',
  heartbeatAt: '2026-01-31T12:00:00.000Z',
  answering: true,
}

/** A whole answer of the overview. */
export const overviewExample = {
  version: running.version,
  role: running.role,
  startedAt: running.startedAt,
  uptimeSeconds: 14_405,
  processes: [running],
  database: {
    bytes: 52_428_800,
    kinds: [
      { kind: 'tokens', bytes: 31_457_280 },
      { kind: 'metadata', bytes: 8_388_608 },
    ],
  },
  nodesAway: [],
  disk: { freeBytes: 812_000_000_000, totalBytes: 1_000_000_000_000, faults: [] },
  backpressure: { active: true, yielded: [{ work: 'history', seconds: 41.7 }] },
  queue: {
    collections: { live: 12, syncing: 1 },
    streams: { active: 2 },
    webhooks: 3,
    metadata: { due: 420, failed: 3, parked: 0, more: false },
    previews: { due: 0, more: false },
  },
  rates: {
    from: '2026-01-31T11:01:00.000Z',
    requests: minutes(118, 97, 4),
    pages: minutes(61, 55, 2),
    blocks: minutes(5, 5, 0),
    logs: minutes(2_310, 2_077, 0),
    versions: minutes(),
    documents: minutes(180, 211, 19),
    previews: minutes(12, 7, 0),
    webhooksDelivered: minutes(31, 28, 1),
    attemptsFailed: minutes(0, 1, 0),
  },
  missing: [],
}
