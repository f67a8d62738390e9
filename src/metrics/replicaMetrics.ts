import { Counter, Gauge, type Registry } from 'prom-client'

const labelNames = ['replica'] as const

/** Figures of the read replica, by its host; where none is configured there are no figures. */
export function createReplicaMetrics({ registers }: { registers: Registry[] }) {
  return {
    replicaUp: new Gauge({
      registers,
      name: 'mintmark_replica_up',
      help: '1 while pages are read from the read replica, 0 while it is unreachable or no replica of the database any more; checked every second.',
      labelNames,
    }),
    replicaLagSeconds: new Gauge({
      registers,
      name: 'mintmark_replica_lag_seconds',
      help: 'Replication lag of the read replica, in seconds; 0: it shows everything.',
      labelNames,
    }),
    replicaLagBytes: new Gauge({
      registers,
      name: 'mintmark_replica_lag_bytes',
      help: "Bytes of the primary's WAL that the read replica has not replayed.",
      labelNames,
    }),
    replicaConflicts: new Counter({
      registers,
      name: 'mintmark_replica_conflicts_total',
      help: 'Statements that the read replica cancelled as they delayed replay; each was sent again.',
      labelNames,
    }),
  }
}
