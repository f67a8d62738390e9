/** The server's time, and the monotonic time of its receipt. null: no response yet. */
let reported: { at: number; elapsed: number } | null = null

/** A response's date is in whole seconds and arrives late. Smaller differences are ignored, so ages do not jump. */
const nearMs = 2_000

/**
 * The server's time in milliseconds since 1970, within two seconds. Responses contain server times, and the browser's clock may be hours
 * off or change. Until the first response it is the browser's time.
 */
export function serverNow(): number {
  return reported === null ? Date.now() : reported.at + performance.now() - reported.elapsed
}

/** Stores the time of a response, from its headers. */
export function noteServerTime(headers: Headers): void {
  const at = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(at) || (reported !== null && Math.abs(at - serverNow()) <= nearMs)) return
  // The browser's clock has milliseconds and is right on most machines.
  const isRight = Math.abs(at - Date.now()) <= nearMs
  reported = { at: isRight ? Date.now() : at, elapsed: performance.now() }
}
