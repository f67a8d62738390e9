import type { Migration } from './migration.ts'

/**
 * What keeps metadata that is read in vain from costing much: documents that come back as they were although their contract
 * announces changes again and again, and hosts that answer nothing.
 */
export const metadataPauses: Migration = {
  id: 34,
  name: 'metadata_pauses',
  sql: `
ALTER TABLE token_metadata
  -- Times in a row that the document came back as it was soon after it was read.
  ADD COLUMN unchanged smallint NOT NULL DEFAULT 0;
ALTER TABLE metadata_due
  -- When its contract last announced a change while it was due already: a try that began before that is not the last.
  ADD COLUMN announced_at timestamptz,
  -- The dead host that it waits for since parked_at, in collection_host; its due_at is infinity, but while it is tried again.
  ADD COLUMN host text,
  ADD COLUMN parked_at timestamptz;
CREATE INDEX metadata_due_parked ON metadata_due (partition, collection_id, host, parked_at) WHERE host IS NOT NULL;

-- The hosts of a collection's documents, the first ones that were met.
CREATE TABLE collection_host (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  -- host:port of an address; ipfs or arweave for all gateways together.
  host text NOT NULL,
  -- null: it answers.
  dead_since timestamptz,
  -- Tries in a row without an answer.
  failures integer NOT NULL DEFAULT 0,
  -- What the last of them came to.
  fault text,
  fault_at timestamptz,
  -- When a dead one is tried next.
  retry_at timestamptz,
  PRIMARY KEY (partition, collection_id, host)
);
`,
}
