import { inject } from 'vitest'

/** Whether the database of this run is a Citus cluster, where triggers, and counts of what a session reads, tell nothing of the rows. */
export const onCluster = inject('postgres').workers.length > 0
