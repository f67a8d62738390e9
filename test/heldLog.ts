import type { Config } from '../src/config.ts'
import { configSecrets } from '../src/configSecrets.ts'
import { createLog, type Log } from '../src/log.ts'
import { createMask } from '../src/util/urls/secrets.ts'

/** The longest line that a service may write. */
const mostBytes = 4_096

/** What a driver hangs to its errors, and what else is never a field: keys, connections, statements, tables of types. */
const driverKeys =
  /"(?:secretKey|processID|_types|_typeParsers|connectionParameters|_queryQueue|queryQueue|activeQuery|parsedStatements|preparedStatements|saslSession|password|dataTypeID|client|socket)":/

/** Keys that the server made or was told since it started, wherever they stand. */
const keyShapes = [/\bmm_[\w-]{43}\b/, /whsec_[A-Za-z0-9+/=]{24,}/, /Bearer [\w.-]{8,}/, /:\/\/[^/\s"@]+:[^/\s"@]+@/]

/** What is expected to happen to whoever runs a service: told without a stack. */
const expected =
  /ECONN(?:REFUSED|RESET)|Connection terminated|the database system is|57P0\d|cannot be reached|no node of chain|serves another chain|not ready:/

/** What is wrong with a line of the log; undefined: nothing. `secrets`: texts that may stand nowhere. */
export function faultOfLine(line: string, secrets: readonly string[]): string | undefined {
  if (Buffer.byteLength(line) > mostBytes) return `a line of ${Buffer.byteLength(line)} bytes`
  const told = secrets.find((secret) => line.includes(secret))
  if (told !== undefined) return `a secret that begins with ${told.slice(0, 3)}`
  if (driverKeys.test(line)) return 'an object of a driver'
  if (keyShapes.some((shape) => shape.test(line))) return 'a key'
  const { event, chain, status, level, err } = JSON.parse(line) as Record<string, unknown>
  if (typeof event !== 'string') return 'no event'
  if (typeof chain === 'string' && /^\d+$/.test(chain)) return 'a chain by its number'
  if (level === 'error' && status === 503) return 'what is not available as an error'
  const { message, stack } = (err ?? {}) as { message?: string; stack?: string }
  return stack !== undefined && message !== undefined && expected.test(message)
    ? 'a stack of what is expected'
    : undefined
}

/** Texts of the configuration that no line may hold, as they stand there. */
export function secretTexts(config: Config): string[] {
  return [...new Set(configSecrets(config).map(({ text }) => text))].filter((text) => text.length >= 8)
}

export type HeldLog = {
  log: Log
  /** Throws where one of the lines so far should not be there. */
  check(): void
}

/** A log on level debug for a service with this configuration, whose lines are held against what no line may be. */
export function createHeldLog(config: Config): HeldLog {
  const secrets = secretTexts(config)
  const faults = new Set<string>()
  const log = createLog({
    level: 'debug',
    mask: createMask(configSecrets(config)),
    // All of them, however often they are said.
    repeatMs: 0,
    destination: {
      write(line) {
        const fault = faultOfLine(line.trimEnd(), secrets)
        if (fault !== undefined) faults.add(`${fault}: ${line.slice(0, 500)}`)
      },
    },
  })
  return {
    log,
    check() {
      if (faults.size > 0)
        throw new Error(`the log has what it should not have:\n${[...faults].slice(0, 5).join('\n')}`)
    },
  }
}
