import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { MintmarkError } from '../../util/errors.ts'
import { openUnfinished } from './unfinishedFile.ts'

/** The file is not a backup, incomplete, or damaged. */
export class BackupFileError extends MintmarkError {
  readonly code = 'BACKUP_FILE'
}

/** Longest accepted frame. PostgreSQL sends 64 kB at once, or one longer row. */
const maxFrameBytes = 1_073_741_824

/**
 * Writes frames (a four-byte length, then the bytes) through gzip into a file that only its owner can read, as it contains secrets. The file gets its
 * name once it is completely on disk. Throws BackupExistsError if the name exists by then.
 */
export async function writeBackupFile(path: string, frames: AsyncIterable<Buffer>): Promise<void> {
  await using unfinished = await openUnfinished(path)
  await pipeline(Readable.from(framed(frames)), createGzip({ level: 1 }), async (chunks) => {
    for await (const chunk of chunks) await unfinished.file.appendFile(chunk as Buffer)
  })
  await unfinished.finish()
}

async function* framed(frames: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const frame of frames) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(frame.length)
    yield length
    yield frame
  }
}

/** The frames of a file. Throws `BackupFileError` if the file is incomplete or damaged. */
export async function* readBackupFile(path: string): AsyncGenerator<Buffer> {
  const bytes = createReadStream(path).on('error', (error) => gunzip.destroy(error))
  const gunzip = bytes.pipe(createGunzip())
  let parts: Buffer[] = []
  let available = 0
  function take(length: number): Buffer {
    const all = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
    parts = all.length > length ? [all.subarray(length)] : []
    available -= length
    return all.subarray(0, length)
  }
  try {
    let wanted: number | undefined
    for await (const part of gunzip as AsyncIterable<Buffer>) {
      parts.push(part)
      available += part.length
      for (;;) {
        if (wanted === undefined) {
          if (available < 4) break
          wanted = take(4).readUInt32BE()
          if (wanted > maxFrameBytes) throw new BackupFileError(`${path} is not a backup of Mintmark`)
        }
        if (available < wanted) break
        const frame = take(wanted)
        wanted = undefined
        yield frame
      }
    }
    if (available > 0 || wanted !== undefined)
      throw new BackupFileError(`${path} is not a whole backup: its end is missing`)
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? ''
    if (!code.startsWith('Z_')) throw cause
    throw new BackupFileError(`${path} is damaged, or no backup of Mintmark`, { cause })
  } finally {
    bytes.destroy()
    gunzip.destroy()
  }
}
