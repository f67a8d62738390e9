import type { AdminKeys } from './keys.ts'
import type { StreamTrials } from './streamTrials.ts'

/** What the admin routes ask of the service. Each subject has a file of its own beside this one: its port, and the schemas of its answers. */
export type Admin = {
  keys: AdminKeys
  streams: StreamTrials
}
