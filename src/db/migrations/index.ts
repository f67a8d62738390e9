import { foundation } from './0001_foundation.ts'
import { coins } from './0003_coins.ts'
import type { Migration } from './migration.ts'

/** In the order of their ids. */
export const migrations: readonly Migration[] = [foundation, coins]
