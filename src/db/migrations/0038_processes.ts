import type { Migration } from './migration.ts'

/** Every process that serves, whatever its role, and what each counted lately. */
export const processes: Migration = {
  id: 38,
  name: 'processes',
  sql: `
-- A process of any role, also one that holds no leases. Removed when it stops, and by the others once its heartbeat is old.
CREATE TABLE process (
  id uuid PRIMARY KEY,
  role text NOT NULL,
  version text NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL,
  started_at timestamptz NOT NULL,
  heartbeat_at timestamptz NOT NULL DEFAULT now()
);

-- What a process counted in a minute, of the last hour. A process writes its whole count of the minute again and again, so that one
-- whose commit was not confirmed counts once; it stays when the process is gone.
CREATE TABLE minute_count (
  -- When the minute began.
  minute timestamptz NOT NULL,
  kind text NOT NULL,
  process_id uuid NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (minute, kind, process_id)
);
`,
}
