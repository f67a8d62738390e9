import type { Migration } from './migration.ts'

/** What token URIs say: documents, their history, traits counted, previews, spam and verification. */
export const metadata: Migration = {
  id: 2,
  name: 'metadata',
  sql: `
ALTER TABLE collection
  -- Tokens minted in history still have to be put into metadata_due: true from joining the head until that is done.
  ADD COLUMN metadata_unswept boolean NOT NULL DEFAULT false,
  -- Tokens whose metadata was tried before this are to be read again by the next sweep.
  ADD COLUMN metadata_refresh_at timestamptz,
  ADD COLUMN metadata_swept_at timestamptz,
  -- The earliest of its rows in metadata_due, or an earlier time; null: none is due.
  ADD COLUMN metadata_due_at timestamptz,
  -- When its metadata was last worked on: the one that waited longest has the next turn.
  ADD COLUMN metadata_turn_at timestamptz NOT NULL DEFAULT now(),
  -- Tokens whose metadata was tried at least once.
  ADD COLUMN metadata_tried bigint NOT NULL DEFAULT 0,
  ADD COLUMN spam_score integer NOT NULL DEFAULT 0,
  ADD COLUMN spam_reasons text[] NOT NULL DEFAULT '{}',
  ADD COLUMN possible_spam boolean NOT NULL DEFAULT false,
  ADD COLUMN verified boolean NOT NULL DEFAULT false,
  -- The operator's word, over rules and lists; null: none.
  ADD COLUMN spam_override boolean,
  ADD COLUMN verified_override boolean,
  ADD COLUMN assessed_at timestamptz;
CREATE INDEX collection_metadata_due ON collection (metadata_due_at) WHERE metadata_due_at IS NOT NULL;
CREATE INDEX collection_unswept ON collection (id) WHERE metadata_unswept;
UPDATE collection SET metadata_unswept = true WHERE status = 'live';

CREATE TABLE token_metadata (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  token_hash uuid NOT NULL,
  -- ok: the document is what the URI gave last; failed: it could not be read, tried again; permanent: not tried by itself.
  state text NOT NULL CHECK (state IN ('ok', 'failed', 'permanent')),
  reason text,
  attempts integer NOT NULL,
  -- The token's metadata as it stands in a record: token_uri, metadata and the sync times, as JSON text without braces.
  record text NOT NULL,
  -- Normalised form as JSON text with "trait_count":null for each attribute; null without a document.
  normalized text,
  -- One key for each attribute, in order: md5 of its trait and value.
  traits uuid[] NOT NULL DEFAULT '{}',
  -- What a preview is made of; null: nothing.
  media_url text,
  document_hash bytea,
  fetched_at timestamptz,
  tried_at timestamptz NOT NULL,
  PRIMARY KEY (partition, collection_id, token_hash)
);

-- Tokens whose metadata is to be read, and when.
CREATE TABLE metadata_due (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  token_hash uuid NOT NULL,
  token_id numeric(78, 0) NOT NULL,
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  PRIMARY KEY (partition, collection_id, token_hash)
);
CREATE INDEX metadata_due_order ON metadata_due (partition, collection_id, due_at);

-- What tokens said before.
CREATE TABLE token_document (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  token_hash uuid NOT NULL,
  -- When it was replaced.
  until timestamptz NOT NULL,
  since timestamptz,
  document_hash bytea,
  -- As in token_metadata.
  record text NOT NULL,
  PRIMARY KEY (partition, collection_id, token_hash, until)
);

-- How many tokens have a trait, by its key in token_metadata.traits.
CREATE TABLE trait_count (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  trait uuid NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (partition, collection_id, trait)
);

-- Previews, by what they are made of.
CREATE TABLE media (
  partition smallint NOT NULL,
  collection_id bigint NOT NULL,
  -- md5 of the URL.
  url_hash uuid NOT NULL,
  url text NOT NULL,
  status text NOT NULL DEFAULT 'processing' CHECK (status IN
    ('success', 'processing', 'unsupported_media', 'invalid_url', 'host_unavailable', 'temporarily_unavailable')),
  mimetype text,
  category text,
  -- SHA-256 of the source, as hex; the previews' place.
  parent_hash text,
  -- {low, medium, high: {width, height, url}} as JSON text.
  sizes text,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, collection_id, url_hash)
);
CREATE INDEX media_due ON media (partition, due_at) WHERE due_at IS NOT NULL;
`,
}
