import type { Config } from '../src/config/config.ts'
import { configSecrets } from '../src/config/configSecrets.ts'
import { createLog, type Log } from '../src/util/log.ts'
import { createMask } from '../src/util/urls/secrets.ts'

/** The longest line that a service may write. */
const mostBytes = 4_096

/** Keys that no line may contain: those that drivers add to their errors, such as connections, statements and type tables. */
const driverKeys =
  /"(?:secretKey|processID|_types|_typeParsers|connectionParameters|_queryQueue|queryQueue|activeQuery|parsedStatements|preparedStatements|saslSession|password|dataTypeID|client|socket)":/

/** Texts that look like an API key, a webhook secret or a password. */
const keyShapes = [/\bmm_[\w-]{43}\b/, /whsec_[A-Za-z0-9+/=]{24,}/, /Bearer [\w.-]{8,}/, /:\/\/[^/\s"@]+:[^/\s"@]+@/]

/** Messages of errors that every operator meets; their lines must have no stack. */
const expected =
  /ECONN(?:REFUSED|RESET)|Connection terminated|the database system is|57P0\d|cannot be reached|no node of chain|serves another chain|not ready:/

/** Returns the error of a log line, or undefined if there is none. `secrets`: texts that no line may contain. */
export function faultOfLine(line: string, secrets: readonly string[]): string | undefined {
  if (Buffer.byteLength(line) > mostBytes) return `a line of ${Buffer.byteLength(line)} bytes`
  const reported = secrets.find((secret) => line.includes(secret))
  if (reported !== undefined) return `a secret that begins with ${reported.slice(0, 3)}`
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

/** Texts of the configuration that no line may contain, in the configured spelling. */
export function secretTexts(config: Config): string[] {
  return [...new Set(configSecrets(config).map(({ text }) => text))].filter((text) => text.length >= 8)
}

export type HeldLog = {
  log: Log
  /** Throws if a line so far is not allowed in a log. */
  check(): void
}

/** A log at level debug for a service with this configuration. `faultOfLine` checks each line. */
export function createHeldLog(config: Config): HeldLog {
  const secrets = secretTexts(config)
  const faults = new Set<string>()
  const log = createLog({
    level: 'debug',
    mask: createMask(configSecrets(config)),
    // Repeated lines are checked, too.
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
