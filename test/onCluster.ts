import { inject } from 'vitest'

/** Whether the database of this run is a Citus cluster. */
export const onCluster = inject('postgres').workers.length > 0
