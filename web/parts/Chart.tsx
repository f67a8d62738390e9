import { useEffect, useRef, useState } from 'preact/hooks'
import { formatNumber, formatShort } from '../text/numbers.ts'
import type { Plot } from './plot.ts'

export type ChartProps = {
  title: string
  /** Counts, one of each step; the oldest first. null: nothing is known of the step. */
  series: readonly { name: string; counts: readonly (number | null)[] }[]
  /** Time of the first count, in milliseconds since 1970. */
  from: number
  stepMs: number
  /** What all counts together are of, such as "in the last hour". */
  span: string
  /** One figure for all values of a series, by its name, where their sum says nothing, as of durations. */
  figure?(name: string): string
}

const height = 140

/** Lines over time. Those who do not see them are told the sums, or the figures that stand for them. */
export function Chart({ title, series, from, stepMs, span, figure }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | null>(null)
  const [scheme, setScheme] = useState(0)
  const names = series.map(({ name }) => name).join('\n')
  const sums = series.map(({ name, counts }) => {
    const sum = counts.reduce<number>((all, count) => all + (count ?? 0), 0)
    return { name, short: figure?.(name) ?? formatShort(sum), whole: figure?.(name) ?? formatNumber(sum) }
  })
  const data = [
    (series[0]?.counts ?? []).map((_, i) => (from + i * stepMs) / 1_000),
    ...series.map(({ counts }) => [...counts]),
  ] as [number[], ...(number | null)[][]]
  const latest = useRef(data)
  latest.current = data

  // Colours stand on the canvas as they were: another scheme draws it anew.
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const change = () => setScheme((count) => count + 1)
    dark.addEventListener('change', change)
    return () => dark.removeEventListener('change', change)
  }, [])

  useEffect(() => {
    const element = place.current
    if (!element) return
    let isShown = true
    const resized = new ResizeObserver(() => plot.current?.resize(element.clientWidth))
    import('./plot.ts').then(
      ({ createPlot }) => {
        if (!isShown) return
        const colours = [...(element.parentElement?.querySelectorAll('.swatch') ?? [])].map(colourOf)
        plot.current = createPlot({
          place: element,
          data: latest.current,
          series: names.split('\n').map((name, i) => ({ name, colour: colours[i] ?? 'gray' })),
          axisColour: colourOf(element),
          lineColour: getComputedStyle(element).borderTopColor,
          width: element.clientWidth,
          height,
        })
        resized.observe(element)
      },
      () => undefined,
    )
    return () => {
      isShown = false
      resized.disconnect()
      plot.current?.destroy()
      plot.current = null
    }
  }, [names, scheme])

  useEffect(() => {
    plot.current?.set(data)
  })

  const told = sums.map(({ name, whole }) => `${whole} ${name.toLowerCase()}`).join(', ')
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <ul class="plain">
          {sums.map(({ name, short, whole }, i) => (
            <li key={name}>
              <span class={`swatch series-${i + 1}`} aria-hidden="true" />
              {name} <strong title={whole}>{short}</strong>
            </li>
          ))}
        </ul>
      </figcaption>
      <div ref={place} class="plot" role="img" aria-label={`${title}: ${told} ${span}`} />
    </figure>
  )
}

function colourOf(element: Element): string {
  return getComputedStyle(element).color
}
