/** The server's time, and the monotonic time of its receipt. null: no response yet. */
let reported: { at: number; elapsed: number } | null = null

/** Answers show whole seconds, and take a while: what differs by no more changes nothing, so that ages do not jump. */
const nearMs = 2_000

/**
 * The time of the server in milliseconds since 1970, within two seconds: times in answers are the server's, and the clock of the browser may
 * be hours off or be set meanwhile. Until an answer came it is the browser's.
 */
export function serverNow(): number {
  return reported === null ? Date.now() : reported.at + performance.now() - reported.elapsed
}

/** Takes the time that an answer was given, from its headers. */
export function noteServerTime(headers: Headers): void {
  const at = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(at) || (reported !== null && Math.abs(at - serverNow()) <= nearMs)) return
  // The browser's clock has milliseconds, and is right on most machines.
  const isRight = Math.abs(at - Date.now()) <= nearMs
  reported = { at: isRight ? Date.now() : at, elapsed: performance.now() }
}
