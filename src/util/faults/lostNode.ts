/**
 * What the coordinator of a Citus cluster says where a node, or its own server, was lost in the middle of a transaction or of a COPY, with the state of an internal
 * error or of one of a disk: words of its own (https://github.com/citusdata/citus, `remote_transaction.c` and `multi_copy.c`), of the node that
 * ended, or of libpq, by which it speaks to the node.
 */
const words =
  /^(?:failure on connection marked as essential: |failed to complete COPY on |failed to COPY to shard \d+ on |terminating connection (?:due to|because of) |postmaster was shut down|server closed the connection|no connection to the server|connection not open|SSL SYSCALL error|SSL connection has been closed|could not (?:receive data from|send data to) server)/

const states: ReadonlySet<unknown> = new Set(['XX000', '58030'])

/** Whether an error of PostgreSQL says that a node of a cluster was lost, which its state does not tell. */
export function saysNodeLost(error: unknown): boolean {
  return error instanceof Error && states.has((error as { code?: unknown }).code) && words.test(error.message)
}
