import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'

/** ffmpeg's demuxer for each supported type. A guessed one might follow the URLs in a playlist. */
const readers: Readonly<Record<string, string>> = {
  'video/mp4': 'mov',
  'video/x-m4v': 'mov',
  'video/quicktime': 'mov',
  'video/webm': 'matroska',
  'video/matroska': 'matroska',
}

/** Number of first frames of which the most representative one is taken: many videos begin black. */
const frames = 24

/**
 * A frame of a video as PNG, drawn by ffmpeg; undefined for an unsupported type or an error; `late` if ffmpeg exceeds `timeoutMs`. ffmpeg has the
 * limits of this worker and exits with it.
 */
export async function drawVideo(
  bytes: Buffer,
  {
    mimetype,
    ffmpeg,
    maxPixels,
    timeoutMs,
  }: { mimetype: string; ffmpeg: string; maxPixels: number; timeoutMs: number },
): Promise<Buffer | 'late' | undefined> {
  const reader = readers[mimetype]
  if (reader === undefined) return undefined
  const file = openNameless(bytes)
  try {
    const input = ['-protocol_whitelist', 'file', '-threads', '1', '-max_pixels', String(maxPixels), '-f', reader]
    const picture = ['-map', '0:v:0', '-frames:v', '1', '-vf', `thumbnail=${frames}`, '-threads', '1', '-c:v', 'png']
    const child = spawn(
      ffmpeg,
      ['-nostdin', '-v', 'error', ...input, '-i', '/dev/fd/3', ...picture, '-f', 'image2pipe', 'pipe:1'],
      { stdio: ['ignore', 'pipe', 'ignore', file], timeout: timeoutMs, killSignal: 'SIGKILL' },
    )
    const failed = new Promise<undefined>((resolve) => child.once('error', () => resolve(undefined)))
    const frame = await Promise.race([buffer(child.stdout!), failed])
    if (child.killed) return 'late'
    return frame && frame.length > 0 ? frame : undefined
  } finally {
    closeSync(file)
  }
}

/** An unlinked open file with these bytes. ffmpeg seeks in it, as many videos have their index at the end. */
function openNameless(bytes: Buffer): number {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-video-'))
  try {
    const file = openSync(join(folder, 'video'), 'wx+', 0o600)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    return file
  } finally {
    rmSync(folder, { recursive: true })
  }
}
