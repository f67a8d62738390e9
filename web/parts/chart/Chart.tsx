import { useEffect, useRef, useState } from 'preact/hooks'
import { formatNumber, formatShort } from '../../text/numbers.ts'
import type { Plot } from './plot.ts'

export type ChartProps = {
  title: string
  /** One count per step, oldest first. null: unknown. */
  series: readonly { name: string; counts: readonly (number | null)[] }[]
  /** Time of the first count, in milliseconds since 1970. */
  from: number
  stepMs: number
  /** Time range of all counts, such as "in the last hour". */
  span: string
  /** One figure for a series, by its name, if a sum is meaningless, as for durations. */
  figure?(name: string): string
  /** Formats one value; default: a whole number. */
  format?(value: number): string
}

const height = 140

/** With the weekday: a step may be on another day. */
const times = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})

/**
 * Lines over time, with their sums or other figures. While the pointer is over a step, its values replace them. An invisible slider does the
 * same by keyboard, with a mark in the plot.
 */
export function Chart({ title, series, from, stepMs, span, figure, format = formatNumber }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | null>(null)
  const [scheme, setScheme] = useState(0)
  const [at, setAt] = useState<number | null>(null)
  const names = series.map(({ name }) => name).join('\n')
  const sums = series.map(({ name, counts }) => {
    const sum = counts.reduce<number>((all, count) => all + (count ?? 0), 0)
    return { name, short: figure?.(name) ?? formatShort(sum), whole: figure?.(name) ?? formatNumber(sum) }
  })
  const steps = series[0]?.counts.length ?? 0
  const timeOf = (step: number) => times.format(from + step * stepMs)
  const shownValue = (counts: readonly (number | null)[], step: number) => {
    const value = counts[step]
    return value == null ? '–' : format(value)
  }
  const mark = (step: number | null) => {
    plot.current?.mark(step)
    setAt(step)
  }
  const data = [
    (series[0]?.counts ?? []).map((_, i) => (from + i * stepMs) / 1_000),
    ...series.map(({ counts }) => [...counts]),
  ] as [number[], ...(number | null)[][]]
  const latest = useRef(data)
  latest.current = data

  // The canvas keeps its colours, so a scheme change redraws it.
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
          pointed: setAt,
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
      setAt(null)
    }
  }, [names, scheme])

  // Pointing at a step redraws no line.
  const drawn = JSON.stringify(data)
  useEffect(() => {
    plot.current?.set(latest.current)
  }, [drawn])

  const reported = sums.map(({ name, whole }) => `${name.toLowerCase()} ${whole}`).join(', ')
  // Default: the last step. The number of steps may shrink.
  const step = Math.max(0, Math.min(at ?? steps - 1, steps - 1))
  const reportedStep = series.map(({ name, counts }) => `${name.toLowerCase()} ${shownValue(counts, step)}`).join(', ')
  return (
    <figure class="chart">
      <figcaption>
        <div class="chart-head">
          <h3>{title}</h3>
          {at !== null && <span class="hint">{timeOf(step)}</span>}
        </div>
        <ul class="plain">
          {sums.map(({ name, short, whole }, i) => (
            <li key={name}>
              <span class={`swatch series-${i + 1}`} aria-hidden="true" />
              {name}{' '}
              {at === null ? (
                <strong title={whole}>{short}</strong>
              ) : (
                <strong>{shownValue(series[i]!.counts, step)}</strong>
              )}
            </li>
          ))}
        </ul>
      </figcaption>
      <input
        class="unseen"
        type="range"
        min={0}
        max={Math.max(0, steps - 1)}
        step={1}
        value={step}
        aria-label={`${title}, step by step`}
        aria-valuetext={`${timeOf(step)}: ${reportedStep}`}
        onFocus={() => mark(step)}
        onInput={({ currentTarget }) => mark(Number(currentTarget.value))}
        onBlur={() => mark(null)}
      />
      <div ref={place} class="plot" role="img" aria-label={`${title}: ${reported} ${span}`} />
    </figure>
  )
}

function colourOf(element: Element): string {
  return getComputedStyle(element).color
}
