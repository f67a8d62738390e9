import { createLog, type LogLevel, type OpenLog } from '../../util/log.ts'
import type { Mask } from '../../util/urls/secrets.ts'

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write'> & { hasColors?: () => boolean }

/** The log of a long-running command, on standard error: readable lines on a terminal, else a JSON object per line. */
export async function openLog(options: { level: LogLevel; mask: Mask; stderr?: Terminal }): Promise<OpenLog> {
  const { level, mask, stderr = process.stderr } = options
  return createLog({ level, mask, destination: stderr.isTTY ? await openTerminal(stderr) : undefined })
}

/** Imported only for terminals. */
async function openTerminal(stderr: Terminal) {
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({
    colorize: stderr.hasColors?.() === true,
    messageKey: 'event',
    timestampKey: 'time',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  })
  return { write: (line: string) => void stderr.write(pretty(line)) }
}
