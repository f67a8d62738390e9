-- A value of the whole installation: secrets for signing, and settings of all streams.
-- Owner: stream/settings
CREATE TABLE setting (
  -- The name of the value.
  name text PRIMARY KEY,
  -- The value, as text.
  value text NOT NULL
);

-- A key that clients send with their requests.
-- Owner: db
CREATE TABLE api_key (
  -- The id of the key in commands.
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The name of the key.
  name text NOT NULL,
  -- SHA-256 of the key; the key itself is not stored.
  hash bytea NOT NULL UNIQUE,
  -- read: the operations of clients; admin: everything.
  access text NOT NULL CHECK (access IN ('read', 'admin')),
  -- Requests per second of the key; null: as configured.
  requests_per_second double precision,
  -- Burst size of the key; null: as configured.
  burst integer,
  -- When the key was created.
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When the key was revoked; null: it is valid.
  revoked_at timestamptz,
  -- Last request with the key, to the minute; null: never.
  last_used_at timestamptz
);

-- A browser tab that is signed in at the console with a key. Rows of sessions that ended are deleted when the next one begins.
-- Owner: db
CREATE TABLE console_session (
  -- SHA-256 of the token that the tab sends; the token itself is not stored. For a session with the configuration's key: SHA-256 of token
  -- and key together.
  token_hash bytea PRIMARY KEY,
  -- The key, by its id in api_key; 0: the configuration's.
  key_id bigint NOT NULL,
  -- When the tab signed in.
  begun_at timestamptz NOT NULL DEFAULT now(),
  -- Last request with the token, to the minute.
  used_at timestamptz NOT NULL DEFAULT now()
);

-- A process of any role, including processes without leases. The row is deleted when the process stops, or by another process once the
-- heartbeat is old.
-- Owner: service/processes
CREATE TABLE process (
  -- The id that the process generated.
  id uuid PRIMARY KEY,
  -- The role of the process.
  role text NOT NULL,
  -- The version of its program.
  version text NOT NULL,
  -- The machine that it runs on.
  host text NOT NULL,
  -- Its id on that machine.
  pid integer NOT NULL,
  -- When it started.
  started_at timestamptz NOT NULL,
  -- Its last heartbeat.
  heartbeat_at timestamptz NOT NULL DEFAULT now()
);

-- Counters of a process by minute, for the last hour. A process writes its whole count of the minute repeatedly, so a write that is
-- repeated after an unconfirmed commit counts once. The row stays after the process has ended.
-- Owner: service/processes
CREATE TABLE minute_count (
  -- When the minute began.
  minute timestamptz NOT NULL,
  -- The counter.
  kind text NOT NULL,
  -- The process, by its id in process.
  process_id uuid NOT NULL,
  -- The count.
  count bigint NOT NULL,
  PRIMARY KEY (minute, kind, process_id)
);
