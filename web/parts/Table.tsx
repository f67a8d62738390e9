import type { ComponentChildren } from 'preact'

export type Column<T> = {
  name: string
  cell(row: T): ComponentChildren
  /** Numbers stand at the right. */
  number?: true
}

/** A table that scrolls sideways within itself where it is wider than the page; the first column names the row. */
export function Table<T>({
  caption,
  columns,
  rows,
  keyOf,
}: {
  /** Said to those who do not see the table's heading. */
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
          {rows.map((row) => (
            <tr key={keyOf(row)}>
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
