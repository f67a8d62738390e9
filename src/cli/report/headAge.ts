import type { HeadAge } from '../../sync/headAge.ts'

/** Whole seconds since a head was confirmed, as commands print them as JSON; null: no head was ever seen. */
export function headAgeSeconds(head: HeadAge | null): number | null {
  return head === null ? null : Math.floor(head.ageMs / 1_000)
}

/** The same in the column `seen` of a table. */
export function describeHeadAge(seconds: number | null): string {
  return seconds === null ? '-' : `${seconds} s ago`
}
