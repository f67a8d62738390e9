import type { Config } from './config.ts'
import type { Log } from './log.ts'

/** The running server. */
export type Service = {
  /** Where it listens, such as http://127.0.0.1:8080. */
  url: string
  /** Drains and stops everything, in the reverse order of the start. */
  close(): Promise<void>
}

export type ServiceOptions = { config: Config; log: Log }
