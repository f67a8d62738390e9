import { z } from 'zod'

/** The head of a backup, before its tables. */
export const backupHead = z.object({
  mintmarkBackup: z.literal(1),
  /** Version of the program that wrote the backup. */
  version: z.string(),
  /** Newest migration of the database at that time; the tables have that schema. */
  migration: z.int().positive(),
  /** Digests of the migrations (`migrationDigest`), in the order of their ids. Missing in a build before the first release. */
  digests: z.array(z.string()).optional(),
  createdAt: z.iso.datetime(),
})

/** Precedes the rows of a table, which are frames of `COPY` in text format, ended by an empty frame. */
export const backupTable = z.object({ table: z.string(), columns: z.array(z.string()) })

/** The end of a complete backup: the last value of each sequence by name, and the number of tables. */
export const backupEnd = z.object({
  sequences: z.record(z.string(), z.string().regex(/^\d+$/)),
  tables: z.int(),
})

export type BackupHead = z.output<typeof backupHead>

export const backupPart = z.union([backupTable, backupEnd])

export function jsonFrame(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value))
}
