import type { FileHandle } from 'node:fs/promises'

/** Bytes per read from the disk. */
const partBytes = 262_144

/** If a reader accepts nothing for this time, its file is closed: well above the pauses of a slow network. */
export const stallMs = 120_000

/** Nothing was written, so nothing is lost if closing fails. */
export function closeFile(file: FileHandle): void {
  file.close().catch(() => undefined)
}

/**
 * The bytes of an open file from `from` to before `to`, counted from `offset`; closes the file at its end. Ends with an error if there are fewer, so
 * that the reader does not wait or misread the next answer. It also ends if the reader accepts nothing for `stallMs`, as it would keep a removed file
 * on the disk.
 */
export function readFilePart(
  file: FileHandle,
  { from, to, offset = 0 }: { from: number; to: number; offset?: number },
): ReadableStream<Uint8Array> {
  let at = from
  let timer: NodeJS.Timeout
  function end(): void {
    clearTimeout(timer)
    closeFile(file)
  }

  /** The bytes from `at` on, at most one block; none at the end. */
  async function readPart(): Promise<Buffer> {
    const length = Math.min(partBytes, to - at)
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, offset + at)
    if (bytesRead === 0 && length > 0) throw new Error(`the file has ${at} of its ${to} bytes`)
    return buffer.subarray(0, bytesRead)
  }

  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const stalled = () => {
          controller.error(new Error(`the reader takes nothing for ${stallMs} ms`))
          end()
        }
        timer = setTimeout(stalled, stallMs).unref()
      },
      async pull(controller) {
        timer.refresh()
        const chunk = await readPart().catch((error: unknown) => {
          end()
          throw error
        })
        at += chunk.length
        if (chunk.length > 0) controller.enqueue(chunk)
        if (at < to) return
        controller.close()
        end()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}
