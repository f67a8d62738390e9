import uPlot from 'uplot'
import { formatShort } from '../text/numbers.ts'

export type PlotOptions = {
  place: HTMLElement
  /** Times in seconds since 1970, then the values of each series. */
  data: uPlot.AlignedData
  series: readonly { name: string; colour: string }[]
  axisColour: string
  lineColour: string
  width: number
  height: number
}

export type Plot = {
  set(data: uPlot.AlignedData): void
  resize(width: number): void
  destroy(): void
}

const font = '11px system-ui, sans-serif'

/** Draws counts over time on a canvas. A module of its own: it is loaded with the first chart. */
export function createPlot(options: PlotOptions): Plot {
  const { place, data, series, axisColour, lineColour, width, height } = options
  const axis = { stroke: axisColour, font, grid: { stroke: lineColour, width: 1 }, ticks: { show: false } }
  const plot = new uPlot(
    {
      width,
      height,
      cursor: { show: false },
      legend: { show: false },
      padding: [8, 8, 0, 0],
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
          points: { show: false },
          spanGaps: true,
        })),
      ],
    },
    data,
    place,
  )
  return {
    set: (next) => plot.setData(next),
    resize: (next) => plot.setSize({ width: next, height }),
    destroy: () => plot.destroy(),
  }
}

/** Counts are whole: an axis of few has no halves. */
function shortCount(value: number): string {
  return Number.isInteger(value) ? formatShort(value) : ''
}
