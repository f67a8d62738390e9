import { z } from 'zod'
import { type StreamQuery, statsPoint, statsSchema } from '../../../stream/query.ts'
import { NotFoundError } from '../../../util/errors.ts'
import { jsonAnswer } from '../../http/answer.ts'
import { choice } from '../../http/parameters.ts'
import { fault } from '../../http/parseQuery.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { instant, uuid } from '../../stream/parameters.ts'

const common = { tag: 'Statistics', access: 'read' } as const

const historySchema = z.object({
  streamId: z.uuid().describe('The stream.'),
  step: z.enum(['minute', 'hour']).describe('Length of a step.'),
  from: z.iso.datetime().describe('Start of the period.'),
  to: z.iso.datetime().describe('End of the period, exclusive.'),
  result: z.array(statsPoint).describe('The steps in which something was counted, the oldest first.'),
})

const streamId = z.object({ streamId: uuid({ description: 'The stream.' }) })
const unknownStream = () => new NotFoundError('Stat not found')

/** Most points per answer: ten days of minutes, more than a year of hours. */
const mostPoints = 14_400
const stepMs = { minute: 60_000, hour: 3_600_000 }

/** Statistics of processed and delivered data of streams. */
export function statsRoutes({ query: streams }: { query: StreamQuery }): Route[] {
  return [
    defineRoute({
      ...common,
      method: 'GET',
      path: '/stats',
      operationId: 'getStats',
      summary: 'Statistics of all streams',
      description: 'The sum over all streams, deleted ones included, and in streams the counters of each.',
      ok: { description: 'The statistics.', schema: statsSchema },
      handle: async () => jsonAnswer(200, await streams.allStats()),
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/stats/{streamId}',
      operationId: 'getStatsById',
      summary: 'Statistics of a stream',
      description:
        'Counters of the stream since it was made, also after it was deleted. They agree with the ledger of its webhooks at any moment.',
      params: streamId,
      ok: { description: 'The statistics.', schema: statsSchema },
      errors: [404],
      async handle({ params }) {
        const stats = await streams.stats(params.streamId)
        if (!stats) throw unknownStream()
        return jsonAnswer(200, stats)
      },
    }),
    defineRoute({
      ...common,
      method: 'GET',
      path: '/stats/{streamId}/history',
      operationId: 'getStatsHistory',
      summary: 'Statistics of a stream by minute or hour',
      description: 'Minutes or hours (UTC) in which nothing was counted are omitted.',
      params: streamId,
      query: z.object({
        from: instant({ description: 'Start of the period; omitted: 60 steps before its end.' }).optional(),
        to: instant({
          description: 'End of the period, exclusive; omitted: the end of the current step.',
        }).optional(),
        step: choice({ description: 'Length of a step.', values: ['minute', 'hour'], default: 'minute' }).optional(),
      }),
      ok: { description: 'The counters of each step.', schema: historySchema },
      errors: [404],
      async handle({ params, query }) {
        const step = query.step ?? 'minute'
        const to = query.to ?? endOfStep(Date.now(), step)
        const from = query.from ?? new Date(to.getTime() - 60 * stepMs[step])
        checkTimes(from, to, step)
        const result = await streams.statsHistory(params.streamId, { from, to, step })
        if (!result) throw unknownStream()
        const { streamId } = params
        return jsonAnswer(200, { streamId, step, from: from.toISOString(), to: to.toISOString(), result })
      },
    }),
  ]
}

/** The end of a time's step: equal for all requests within a step, so that their ETags match. */
function endOfStep(at: number, step: keyof typeof stepMs): Date {
  return new Date((Math.floor(at / stepMs[step]) + 1) * stepMs[step])
}

function checkTimes(from: Date, to: Date, step: keyof typeof stepMs): void {
  const earliest = new Date(to.getTime() - mostPoints * stepMs[step])
  const is = `is ${from.toISOString()}`
  if (from > to) throw fault('from', `${is}, after to; allowed: a time up to ${to.toISOString()}`)
  if (from < earliest) {
    const or = step === 'minute' ? ', or step=hour' : ''
    throw fault(
      'from',
      `${is}, more than ${mostPoints} steps before to; allowed: a time from ${earliest.toISOString()} on${or}`,
    )
  }
}
