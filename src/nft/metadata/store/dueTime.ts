/** SQL for now as a time that a token is due. Milliseconds, so that a time that went through this program is still the one in the row. */
export const dueNow = `date_trunc('milliseconds', now())`

/** SQL for when a token is due that was tried at a time and is left alone for a pause from then on; a null among them: now. */
export function dueAfter(triedAt: string, pause: string): string {
  return `date_trunc('milliseconds', greatest(now(), ${triedAt} + ${pause}))`
}
