-- A value that the whole installation shares: secrets for signing, and what a client sets once for all streams.
-- Owner: stream/settings
CREATE TABLE setting (
  -- What the value is for.
  name text PRIMARY KEY,
  -- The value, as text.
  value text NOT NULL
);

-- A key that clients send with their requests.
-- Owner: db
CREATE TABLE api_key (
  -- The number that commands name the key by.
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- What its maker called the key.
  name text NOT NULL,
  -- SHA-256 of the key; the key itself is nowhere.
  hash bytea NOT NULL UNIQUE,
  -- read: the operations of clients; admin: everything.
  access text NOT NULL CHECK (access IN ('read', 'admin')),
  -- Requests a second that the key may make; null: as configured.
  requests_per_second double precision,
  -- Requests that the key may make at once; null: as configured.
  burst integer,
  -- When the key was made.
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When the key was revoked; null: it is valid.
  revoked_at timestamptz,
  -- When a request came with the key last, to the minute; null: never.
  last_used_at timestamptz
);

-- A browser tab that is signed in at the console with a key. Rows of sessions that ended are deleted when the next one begins.
-- Owner: db
CREATE TABLE console_session (
  -- SHA-256 of the token that the tab sends, which is nowhere else; of a session of the configuration's key, of token and key together.
  token_hash bytea PRIMARY KEY,
  -- The key, by its id in api_key; 0: the configuration's.
  key_id bigint NOT NULL,
  -- When the tab signed in.
  begun_at timestamptz NOT NULL DEFAULT now(),
  -- When a request came with the token last, to the minute.
  used_at timestamptz NOT NULL DEFAULT now()
);

-- A process of any role, also one that holds no leases. The row is removed when the process stops, and by the others once its heartbeat
-- is old.
-- Owner: service/processes
CREATE TABLE process (
  -- The id that the process made for itself.
  id uuid PRIMARY KEY,
  -- What the process does: all, or a part.
  role text NOT NULL,
  -- The version of its program.
  version text NOT NULL,
  -- The machine that it runs on.
  host text NOT NULL,
  -- Its id on that machine.
  pid integer NOT NULL,
  -- When it started.
  started_at timestamptz NOT NULL,
  -- When it last said that it lives.
  heartbeat_at timestamptz NOT NULL DEFAULT now()
);

-- Counters of a process by minute, for the last hour. A process writes its whole count of the minute repeatedly, so an unconfirmed commit
-- counts once. The row stays after the process has ended.
-- Owner: service/processes
CREATE TABLE minute_count (
  -- When the minute began.
  minute timestamptz NOT NULL,
  -- What was counted.
  kind text NOT NULL,
  -- The process, by its id in process.
  process_id uuid NOT NULL,
  -- How many.
  count bigint NOT NULL,
  PRIMARY KEY (minute, kind, process_id)
);
