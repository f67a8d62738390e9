import uPlot from 'uplot'
import { formatShort } from '../../text/numbers.ts'
import { isolatedPoints } from './isolatedPoints.ts'

export type PlotOptions = {
  place: HTMLElement
  /** Times in seconds since 1970, then the values of each series. */
  data: uPlot.AlignedData
  series: readonly { name: string; colour: string }[]
  axisColour: string
  lineColour: string
  width: number
  height: number
  /** The pointer is over a step, by its index; null: over none. */
  pointed(place: number | null): void
}

export type Plot = {
  set(data: uPlot.AlignedData): void
  /** Marks a step, by its index in the data; null: none. */
  mark(place: number | null): void
  resize(width: number): void
  destroy(): void
}

const font = '11px system-ui, sans-serif'

/** Draws counts over time on a canvas. A separate module, loaded with the first chart. */
export function createPlot(options: PlotOptions): Plot {
  const { place, data, series, axisColour, lineColour, width, height, pointed } = options
  const axis = { stroke: axisColour, font, grid: { stroke: lineColour, width: 1 }, ticks: { show: false } }
  const plot = new uPlot(
    {
      width,
      height,
      cursor: { y: false, drag: { x: false, y: false, setScale: false }, points: { size: 7 } },
      hooks: { setCursor: [({ cursor }) => pointed(cursor.idx ?? null)] },
      legend: { show: false },
      // The right padding is half a time label, which is centred on its step.
      padding: [8, 18, 0, 0],
      scales: { y: { range: (_, __, max) => [0, Math.max(1, max)] } },
      axes: [
        { ...axis, grid: { show: false }, space: 60, values: '{HH}:{mm}', size: 24 },
        { ...axis, size: 44, space: 28, values: (_, splits) => splits.map((value) => shortCount(value)) },
      ],
      series: [
        {},
        ...series.map(({ name, colour }) => ({
          label: name,
          stroke: colour,
          width: 2,
          // A line ends at unknown values; a single value would be invisible.
          points: {
            show: false,
            size: 5,
            fill: colour,
            filter: (self: uPlot, i: number) => isolatedPoints(self.data[i]!),
          },
        })),
      ],
    },
    data,
    place,
  )
  return {
    set: (next) => plot.setData(next),
    mark: (place) =>
      plot.setCursor(
        place === null ? { left: -10, top: -10 } : { left: plot.valToPos(plot.data[0][place] ?? 0, 'x'), top: 0 },
        false,
      ),
    resize: (next) => plot.setSize({ width: next, height }),
    destroy: () => plot.destroy(),
  }
}

/** Counts are whole, so the axis omits fractions. */
function shortCount(value: number): string {
  return Number.isInteger(value) ? formatShort(value) : ''
}
