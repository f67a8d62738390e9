/**
 * When a request has a collection `c` looked at again: a minute after it was looked at, for an address without code and for a
 * contract that nothing tells of yet, which has a reason. Null: never by a request. SQL.
 */
export const lookAgainAt = `CASE WHEN c.status = 'nocode' OR (c.status = 'none' AND c.reason IS NOT NULL)
  THEN c.checked_at + interval '60 seconds' END`
