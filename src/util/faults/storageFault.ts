import { saysNodeLost } from './lostNode.ts'

/** A fault of a disk or of memory that keeps data from being written. `reason`: what is wrong, for people. */
export type StorageFault = { disk: 'database' | 'files'; reason: string }

/** Faults by SQLSTATE of PostgreSQL (class 53 and 58) and by errno of our own files. */
const faults: Record<string, StorageFault> = {
  '53100': { disk: 'database', reason: 'the disk of the database is full' },
  '53200': { disk: 'database', reason: 'the database has no memory left' },
  '58030': { disk: 'database', reason: 'the disk of the database fails' },
  ENOSPC: { disk: 'files', reason: 'the disk of dataDir is full' },
  EDQUOT: { disk: 'files', reason: 'the quota of dataDir is used up' },
  EROFS: { disk: 'files', reason: 'the disk of dataDir takes no writes' },
  EIO: { disk: 'files', reason: 'the disk of dataDir fails' },
}

/** The storage fault that an error or one of its causes is about; undefined: the error has another reason. */
export function storageFault(error: unknown): StorageFault | undefined {
  for (let e: unknown = error, depth = 0; e instanceof Error && depth < 5; e = e.cause, depth++) {
    const { code } = e as { code?: unknown }
    if (typeof code === 'string' && Object.hasOwn(faults, code) && !saysNodeLost(e)) return faults[code]
  }
  return undefined
}
