/** Whether the calendar has a day, written as 2022-02-28: Date.parse takes February 30th for March 2nd. */
export function dayExists(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${text}T`)
}
