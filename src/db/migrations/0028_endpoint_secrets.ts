import type { Migration } from './migration.ts'

/** Reasons that hold what a node or a driver said, which may repeat a key; whatever still fails writes its reason anew. */
export const endpointSecrets: Migration = {
  id: 28,
  name: 'endpoint_secrets',
  sql: `
UPDATE chain SET failure = 'not kept: what failed tells its reason again' WHERE failure IS NOT NULL;
UPDATE coin_network SET failure = 'not kept: what failed tells its reason again' WHERE failure IS NOT NULL;
UPDATE stream_chain SET failure = 'not kept: what failed tells its reason again' WHERE failure IS NOT NULL;
UPDATE stream_addition SET failure = 'not kept: what failed tells its reason again' WHERE failure IS NOT NULL;
UPDATE collection SET reason = 'not kept: what failed tells its reason again' WHERE reason IS NOT NULL;

-- Of a list's address its host is left.
UPDATE collection SET spam_reasons = ARRAY(
    SELECT regexp_replace(reason, '^((?:on|verified by) the list )https?://(?:[^/?#]*@)?([^/?#]*).*$', '\\1\\2')
    FROM unnest(spam_reasons) WITH ORDINALITY AS r (reason, place) ORDER BY place)
  WHERE array_to_string(spam_reasons, ' ') ~ 'the list https?://';

-- The hash of an address gives a weak password away to whoever tries many; now it is that of the host.
DELETE FROM log_width;
`,
}
