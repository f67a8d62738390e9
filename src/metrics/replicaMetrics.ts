import { Counter, Gauge, type Registry } from 'prom-client'

const labelNames = ['replica'] as const

/** Figures of the read replica, by its host; where none is configured there are no figures. */
export function createReplicaMetrics({ registers }: { registers: Registry[] }) {
  return {
    replicaUp: new Gauge({
      registers,
      name: 'mintmark_replica_up',
      help: '1 while pages are read from the read replica, 0 while it is away or is no replica of the database any more; asked every second.',
      labelNames,
    }),
    replicaLagSeconds: new Gauge({
      registers,
      name: 'mintmark_replica_lag_seconds',
      help: 'Seconds for which the primary has had something that the read replica does not show; 0: it shows all.',
      labelNames,
    }),
    replicaLagBytes: new Gauge({
      registers,
      name: 'mintmark_replica_lag_bytes',
      help: "Bytes of the primary's log of changes that the read replica has not replayed.",
      labelNames,
    }),
    replicaConflicts: new Counter({
      registers,
      name: 'mintmark_replica_conflicts_total',
      help: 'Statements that the read replica ended as they held up replaying; each was sent again.',
      labelNames,
    }),
  }
}
