-- A preview image, by its source.
-- Owner: nft/media
CREATE TABLE media (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection that has tokens with the preview.
  collection_id bigint NOT NULL,
  -- md5 of the URL, of a data: URI as a whole.
  url_hash uuid NOT NULL,
  -- The URL; of a long data: URI its header alone.
  url text NOT NULL,
  -- Its status, as in a record.
  status text NOT NULL DEFAULT 'processing' CHECK (status IN
    ('success', 'processing', 'unsupported_media', 'invalid_url', 'host_unavailable', 'temporarily_unavailable')),
  -- The MIME type of the source.
  mimetype text,
  -- image, video, audio …, as in a record.
  category text,
  -- SHA-256 of the source, as hex: the folder of its previews.
  parent_hash text,
  -- {low, medium, high: {width, height, url}} as JSON text.
  sizes text,
  -- JSON text without braces: size in bytes and duration in seconds; for a stored file also its url, or the reason why it is not stored.
  -- null: nothing is known.
  details text,
  -- Attempts so far.
  attempts integer NOT NULL DEFAULT 0,
  -- When the next attempt is due; null: none.
  due_at timestamptz DEFAULT now(),
  -- When the row was last written.
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- media of a record as JSON text, U+001D before each path on this server.
  ready text NOT NULL,
  -- The token whose metadata contains the data: URI of which url is the header; null: url is complete.
  token_hash uuid,
  -- The row is of the video, audio file or animation itself, which is stored unchanged. Its url_hash is the hash of the url_hash of its preview
  -- image.
  is_file boolean NOT NULL DEFAULT false,
  PRIMARY KEY (partition, collection_id, url_hash)
);
-- The previews of a collection that are due, the longest due first.
CREATE INDEX media_due ON media (partition, collection_id, due_at) WHERE due_at IS NOT NULL;
-- Finds a preview image whose files were deleted by the hash of its source, to make it again.
CREATE INDEX media_parent ON media USING hash (parent_hash) WHERE parent_hash IS NOT NULL;

-- A collection whose preview images were requested, with its place in the schedule.
-- Owner: nft/media
CREATE TABLE media_turn (
  -- The partition of the collection.
  partition smallint NOT NULL,
  -- The collection.
  collection_id bigint NOT NULL,
  -- The earliest due_at of its rows in media, or an earlier time; null: none is due.
  due_at timestamptz DEFAULT now(),
  -- When its preview images were last processed: the collection that waited longest is next.
  turn_at timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (partition, collection_id)
);
-- The collections of a partition that have previews due.
CREATE INDEX media_turn_due ON media_turn (partition, due_at) WHERE due_at IS NOT NULL;

-- Outcome for bytes that were slow or killed a preview worker, from any address.
-- Owner: nft/media
CREATE TABLE media_source (
  -- The first byte of the hash.
  partition smallint NOT NULL,
  -- SHA-256 of the bytes and of the limits under which they were drawn.
  source_hash bytea NOT NULL,
  -- As in media. If the bytes ended a worker: temporarily_unavailable after the first attempt, unsupported_media after the second.
  status text NOT NULL,
  -- As in media.
  mimetype text,
  -- As in media.
  category text,
  -- As in media.
  sizes text,
  -- As in media.
  details text,
  -- When the bytes may be tried again; null: never.
  retry_at timestamptz,
  -- When they were last used.
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (partition, source_hash)
);
