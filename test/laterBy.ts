/**
 * SQL: the time of a column, an interval later. Beside columns a cluster takes no words whose meaning hangs on the time zone of the session, as
 * the sum of a time and an interval does.
 */
export const laterBy = (column: string, interval: string) =>
  `((${column} AT TIME ZONE 'UTC') + ${interval}) AT TIME ZONE 'UTC'`
