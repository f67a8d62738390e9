import { extname } from 'node:path'
import { type Command, Option } from 'commander'
import { type FileFormat, fileFormats } from '../../nft/fileQuery.ts'

export function formatOption(): Option {
  return new Option(
    '--format <format>',
    'format of the file (default: by its ending, .csv, .ndjson, .jsonl or .parquet)',
  ).choices(fileFormats)
}

const formatsByEnding: Record<string, FileFormat> = {
  ...{ '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson', '.parquet': 'parquet' },
}

/** The format of a file name's extension. */
export function formatOf(path: string, command: Command): FileFormat {
  const ending = extname(path)
  return (
    formatsByEnding[ending.toLowerCase()] ??
    command.error(
      `error: the file ${path} has ${ending === '' ? 'no ending' : `the ending ${ending}`}, which has no format: allowed are ${Object.keys(formatsByEnding).join(', ')}, or any with --format`,
    )
  )
}
