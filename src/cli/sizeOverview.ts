/** The kinds that take room, as one line; those below a tenth of a megabyte are left out. */
export function describeSizes(sizes: readonly { kind: string; bytes: number }[]): string {
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const shown = sizes.filter(({ bytes }) => bytes >= 100_000).map(({ kind, bytes }) => `${kind} ${megabytes(bytes)}`)
  return `database: ${[megabytes(all), ...(shown.length > 0 ? [shown.join(', ')] : [])].join(': ')}`
}

function megabytes(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
}
