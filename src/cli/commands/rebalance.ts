import { Command } from 'commander'
import { readNodes } from '../../db/cluster/readNodes.ts'
import { rebalance, type ShardMove } from '../../db/migrations/rebalance.ts'
import { addDatabaseOptions, type ConfigOptions } from '../context/configOptions.ts'
import type { CliContext } from '../context/context.ts'
import { withDatabase } from '../context/withDatabase.ts'

export function rebalanceCommand(context: CliContext): Command {
  const { print, signal } = context
  return addDatabaseOptions(new Command('rebalance'))
    .description(
      'on the coordinator of a Citus cluster: move shards to nodes with fewer, while servers run; continues after an interruption',
    )
    .option('--json', 'print JSON')
    .action((options: ConfigOptions & { json?: boolean }) =>
      withDatabase(options, context, async (db) => {
        const line = (text: string) => (options.json ? undefined : print.line(text))
        let remaining = 0
        const moves = await rebalance(db, {
          signal,
          onPlan: (planned) => {
            remaining = planned.length
            line(remaining === 0 ? 'nothing to move' : `shards to move: ${remaining}`)
          },
          onMoved: (move) => line(`${describe(move)}, ${--remaining} left`),
        })
        const { nodes, shards } = await readNodes(db)
        if (options.json)
          return print.json({ moved: moves.map((move) => ({ ...move, shard: String(move.shard) })), nodes, shards })
        const taking = nodes.filter((node) => node.takesRows || node.shards > 0)
        print.line(`${taking.map((node) => `${node.name} with ${node.shards}`).join(', ')} of ${shards} shards`)
      }),
    )
}

function describe({ shard, from, to }: ShardMove): string {
  return `shard ${shard} was moved from ${from} to ${to}`
}
