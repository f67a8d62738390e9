import { z } from 'zod'

/** What a backup begins with, before its tables. */
export const backupHead = z.object({
  mintmarkBackup: z.literal(1),
  /** Version of the program that wrote it. */
  version: z.string(),
  /** Newest migration of the database at that time; the tables are those of this schema. */
  migration: z.int().positive(),
  /** What each of the migrations did (`migrationDigest`), in the order of their ids. A build before the first release wrote none. */
  digests: z.array(z.string()).optional(),
  createdAt: z.iso.datetime(),
})

/** Precedes the rows of a table, which are frames of `COPY` in text format, ended by an empty frame. */
export const backupTable = z.object({ table: z.string(), columns: z.array(z.string()) })

/** What a whole backup ends with: the sequences by name, each with the last value it gave, and the number of tables. */
export const backupEnd = z.object({
  sequences: z.record(z.string(), z.string().regex(/^\d+$/)),
  tables: z.int(),
})

export type BackupHead = z.output<typeof backupHead>

export const backupPart = z.union([backupTable, backupEnd])

export function jsonFrame(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}
