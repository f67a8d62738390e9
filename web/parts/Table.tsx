import type { ComponentChildren } from 'preact'

export type Column<T> = {
  name: string
  cell(row: T): ComponentChildren
  /** Numbers are right-aligned. */
  number?: true
}

/** A table that scrolls horizontally if it is wider than the page. The first column names the row. */
export function Table<T>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  /** For screen readers only. */
  caption: string
  columns: readonly Column<T>[]
  rows: readonly T[]
  keyOf(row: T): string
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    <section class="scroll" aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, number }) => (
              <th key={name} scope="col" class={number && 'number'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(rows, keyOf).map(([key, row]) => (
            <tr key={key}>
              {columns.map(({ name, number, cell }, i) =>
                i === 0 ? (
                  <th key={name} scope="row">
                    {cell(row)}
                  </th>
                ) : (
                  <td key={name} class={number && 'number'}>
                    {cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Gives each row a unique key. Transfers of a token within one log share a key, so later ones get a number. */
function keyed<T>(rows: readonly T[], keyOf: (row: T) => string): [key: string, row: T][] {
  const seen = new Map<string, number>()
  return rows.map((row) => {
    const key = keyOf(row)
    const before = seen.get(key) ?? 0
    seen.set(key, before + 1)
    return [before === 0 ? key : `${key} ${before}`, row]
  })
}
