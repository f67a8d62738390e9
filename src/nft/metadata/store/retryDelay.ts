/**
 * How long a document is left alone after it failed `attempts` times in a row, in milliseconds: the delays one after
 * another, the last one for ever, moved by up to a twentieth so that tokens of one host do not come together again; never
 * sooner than the host asked for.
 */
export function retryDelay(
  delaysMs: readonly number[],
  attempts: number,
  retryAfterMs: number | undefined,
  random: () => number = Math.random,
): number {
  const delay = delaysMs[Math.min(attempts, delaysMs.length - 1)] ?? 0
  return Math.max(Math.round(delay * (0.95 + random() / 10)), retryAfterMs ?? 0)
}
