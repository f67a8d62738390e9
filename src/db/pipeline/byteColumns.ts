import type { ByteRow } from './byteRows.ts'

/** Columns of a row that is read as bytes, declared once: the statement and the reader both take their names from it. */
export type ByteColumns<Name extends string> = {
  names: readonly Name[]
  /** The select list, in the order of the declaration. `sql`: of each column; an omitted one is NULL. */
  select(sql: Partial<Record<Name, string | undefined>>): string
  /** The columns with these names in the subquery `row`. */
  of(row: string): Record<Name, string>
  /** The columns of a row of the statement. */
  read(row: ByteRow): Record<Name, Buffer | null>
}

export function defineByteColumns<const Name extends string>(names: readonly Name[]): ByteColumns<Name> {
  const record = <T>(of: (name: Name, place: number) => T) =>
    Object.fromEntries(names.map((name, place) => [name, of(name, place)])) as Record<Name, T>
  return {
    names,
    select: (sql) => names.map((name) => `${sql[name] ?? 'NULL'} AS "${name}"`).join(', '),
    of: (row) => record((name) => `${row}."${name}"`),
    read: (row) => record((_, place) => row[place] ?? null),
  }
}
