import type { Migration } from './migration.ts'

/** A coin never changes once it is written, so it is kept as the text that it is served as, and nothing beside it. */
export const coinRecords: Migration = {
  id: 8,
  name: 'coin_records',
  sql: `
-- JSON text has an escape for NUL, which a text of PostgreSQL cannot hold.
CREATE FUNCTION pg_temp.json_text(bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  written text := '';
  part text;
  at integer;
BEGIN
  LOOP
    at := position('\\x00'::bytea IN bytes);
    part := to_json(convert_from(CASE WHEN at = 0 THEN bytes ELSE substring(bytes FOR at - 1) END, 'UTF8'))::text;
    written := written || substr(part, 2, length(part) - 2);
    IF at = 0 THEN RETURN '"' || written || '"'; END IF;
    written := written || '\\u0000';
    bytes := substring(bytes FROM at + 1);
  END LOOP;
END $$;

-- The record of the coin as clients see it, JSON.
ALTER TABLE coin ADD COLUMN record text;
UPDATE coin SET record = '{"coin_type":' || to_json(coin_type)::text
  || ',"coin_type_hash":"' || encode(coin_type_hash, 'hex') || '","creator_address":"0x' || encode(creator, 'hex')
  || '","decimals":' || decimals || ',"name":' || pg_temp.json_text(name)
  || ',"supply_aggregator_table_handle":' || coalesce('"' || supply_handle || '"', 'null')
  || ',"supply_aggregator_table_key":' || coalesce('"' || supply_key || '"', 'null')
  || ',"symbol":' || pg_temp.json_text(symbol)
  || ',"transaction_created_timestamp":"'
  || to_char('epoch'::timestamp + created_micros * interval '1 microsecond', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
  || '","transaction_version_created":"' || version || '"}';
ALTER TABLE coin ALTER COLUMN record SET NOT NULL,
  DROP COLUMN coin_type, DROP COLUMN creator, DROP COLUMN decimals, DROP COLUMN name, DROP COLUMN symbol,
  DROP COLUMN supply_handle, DROP COLUMN supply_key, DROP COLUMN created_micros;
`,
}
