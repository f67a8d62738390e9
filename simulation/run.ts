import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { shrink } from './shrink.ts'
import { findPlants, sabotage, simulate } from './simulate.ts'
import { worldSize } from './world.ts'

/** `npm run simulate -- --seed N [--minutes M]` exits with 1 if an invariant was broken. `docs/reliability.md` lists the options. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string', default: '0.5' },
    only: { type: 'string' },
    until: { type: 'string' },
    citus: { type: 'boolean', default: false },
    logs: { type: 'string' },
    'no-shrink': { type: 'boolean', default: false },
    sabotage: { type: 'boolean', default: false },
    plant: { type: 'string' },
  },
})
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed)
const logs = values.logs === undefined ? undefined : resolve(values.logs)
if (logs !== undefined) mkdirSync(logs, { recursive: true })
const size = { ...worldSize, citus: values.citus, ...(logs !== undefined && { logs }) }
const report = (line: string) => console.log(line)

if (values.sabotage || values.plant !== undefined) {
  const unfound = values.sabotage
    ? await sabotage({ seed, size, report })
    : await findPlants({ seed, report, named: values.plant! === 'all' ? '' : values.plant! })
  for (const name of unfound) console.log(`not found: ${name}`)
  console.log(unfound.length === 0 ? 'everything that was broken was found' : `${unfound.length} were not found`)
  process.exitCode = unfound.length === 0 ? 0 : 1
} else {
  const numbers = values.only?.split(',').map(Number)
  const last = values.until === undefined ? Number.POSITIVE_INFINITY : Number(values.until)
  const only = ({ number }: { number: number }) => (numbers ? numbers.includes(number) : true) && number <= last
  const options = { seed, ms: Number(values.minutes) * 60_000, size, report, only }
  const outcome = await simulate(options)
  const [first] = outcome.faults
  if (!first) console.log(`seed ${seed}: everything held`)
  else {
    process.exitCode = 1
    console.log(`seed ${seed}: ${outcome.faults.length} faults, the first: ${first.invariant}: ${first.text}`)
    if (!values['no-shrink']) await shrink(options, outcome, report)
  }
}
