/**
 * SQL: the time of a column plus an interval. Next to columns, Citus rejects expressions that depend on the session's time zone.
 * The sum of a time and an interval is one.
 */
export const laterBy = (column: string, interval: string) =>
  `((${column} AT TIME ZONE 'UTC') + ${interval}) AT TIME ZONE 'UTC'`
