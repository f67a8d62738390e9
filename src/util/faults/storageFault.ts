/** An error of a disk, of memory or of a read-only database that prevents writing data. `reason`: the readable reason. */
export type StorageFault = { disk: 'database' | 'files'; reason: string }

/** Errors by SQLSTATE of PostgreSQL (class 25, 53 and 58) and by errno of our own files. */
const faults: Record<string, StorageFault> = {
  '25006': { disk: 'database', reason: 'the database is read-only' },
  '53100': { disk: 'database', reason: 'the disk of the database is full' },
  '53200': { disk: 'database', reason: 'the database has no memory left' },
  '58030': { disk: 'database', reason: 'the disk of the database fails' },
  ENOSPC: { disk: 'files', reason: 'the disk of dataDir is full' },
  EDQUOT: { disk: 'files', reason: 'the quota of dataDir is used up' },
  EROFS: { disk: 'files', reason: 'the disk of dataDir takes no writes' },
  EIO: { disk: 'files', reason: 'the disk of dataDir fails' },
}

/** The storage error that caused an error, also through its causes; undefined: another reason. */
export function storageFault(error: unknown): StorageFault | undefined {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    const { code } = e as { code?: unknown }
    if (typeof code === 'string' && Object.hasOwn(faults, code) && !isNodeLost(e)) return faults[code]
  }
  return undefined
}

/**
 * Messages of a Citus coordinator when a node, or its own server, was lost during a transaction or a COPY. Their SQLSTATE is that of an internal or a
 * disk error. The texts are from Citus (https://github.com/citusdata/citus, `remote_transaction.c` and `multi_copy.c`), from the ended node, or from
 * libpq, which connects to the node.
 */
const nodeLostMessage =
  /^(?:failure on connection marked as essential: |failed to complete COPY on |failed to COPY to shard \d+ on |terminating connection (?:due to|because of) |postmaster was shut down|server closed the connection|no connection to the server|connection not open|SSL SYSCALL error|SSL connection has been closed|could not (?:receive data from|send data to) server)/

const states: ReadonlySet<unknown> = new Set(['XX000', '58030'])

/** Whether a PostgreSQL error says that a cluster node was lost, which its SQLSTATE does not show. */
export function isNodeLost(error: unknown): boolean {
  return error instanceof Error && states.has((error as { code?: unknown }).code) && nodeLostMessage.test(error.message)
}
