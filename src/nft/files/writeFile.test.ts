import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/temporaryFolder.ts'
import type { FileFormat } from '../fileQuery.ts'
import { type WriteFileOptions, writeFile } from './writeFile.ts'

const { signal } = new AbortController()

async function* batchesOf(...batches: string[]): AsyncGenerator<string> {
  yield* batches
}

async function written(options: Partial<WriteFileOptions> & { batches: AsyncIterable<string>; format: FileFormat }) {
  const path = join(await temporaryFolder(), 'file')
  const summary = await writeFile({ path, kind: 'holders', signal, ...options })
  return { ...summary, text: readFileSync(path, 'utf8') }
}

const owner = (digit: string) => `0x${digit.repeat(40)}`
const holdings = [
  ['1', owner('a'), '1'],
  ['1', owner('b'), '20'],
  [String(2n ** 256n - 1n), owner('a'), '3'],
]
const lines = holdings.map((holding) => `${holding.join(',')}\n`)
const { root } = StandardMerkleTree.of(
  holdings.map(([id, who, amount]) => [who, id, amount]),
  ['address', 'uint256', 'uint256'],
)

test('default: a snapshot has one line per holder, and the root of the published Merkle tree', async () => {
  const csv = await written({ format: 'csv', batches: batchesOf(lines.slice(0, 2).join(''), lines[2]!) })
  const text = `token_id,owner_of,amount\n${lines.join('')}`
  expect(csv).toEqual({ rows: 3, root, bytes: text.length, text })
  const ndjson = await written({ format: 'ndjson', batches: batchesOf(lines.join('')) })
  expect(ndjson).toMatchObject({ rows: 3, root })
  expect(
    ndjson.text
      .trim()
      .split('\n')
      .map((line) => Object.values(JSON.parse(line))),
  ).toEqual(holdings)
})

/** The niceness of each thread of this process, a field of proc_pid_stat(5). */
const nicenesses = () =>
  readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })

test.runIf(process.platform === 'linux')(
  'behavior: the writer thread runs at a lower CPU priority than the thread that serves requests',
  async () => {
    async function* batches(): AsyncGenerator<string> {
      yield lines[0]!
      await expect.poll(nicenesses).toContain(Math.min(19, getPriority() + 5))
      yield lines[1]!
    }
    expect(nicenesses()).not.toContain(Math.min(19, getPriority() + 5))
    expect(await written({ format: 'csv', batches: batches() })).toMatchObject({ rows: 2 })
  },
)

test('behavior: a snapshot without holders has its header and no root', async () => {
  expect(await written({ format: 'csv', batches: batchesOf() })).toMatchObject({ rows: 0, root: null, bytes: 25 })
  expect(await written({ format: 'ndjson', batches: batchesOf() })).toEqual({ rows: 0, root: null, bytes: 0, text: '' })
})

test('error: rejects too many bytes, an amount that exceeds a leaf, and a missing folder', async () => {
  const tooMany = written({ format: 'csv', batches: batchesOf(lines.join('')), maxBytes: 100 })
  await expect(tooMany).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('100 bytes') })
  const tooLarge = written({ format: 'csv', batches: batchesOf(`1,${owner('a')},${2n ** 256n}\n`) })
  await expect(tooLarge).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(String(2n ** 256n)),
  })
  await expect(written({ path: '/nowhere/file', format: 'csv', batches: batchesOf() })).rejects.toMatchObject({
    code: 'ENOENT',
  })
})

test('error: a file fails if its writer thread ends, busy or idle', async () => {
  async function ending(end: (worker: Worker) => unknown): Promise<unknown> {
    const started = new Promise<Worker>((resolve) => process.once('worker', resolve))
    async function* batches(): AsyncGenerator<string> {
      const worker = await started
      const exited = new Promise((resolve) => worker.once('exit', resolve))
      await end(worker)
      await exited
      yield lines[0]!
    }
    return written({ format: 'csv', batches: batches() })
  }
  await expect(ending((worker) => worker.terminate())).rejects.toThrow('ended')
  const failing = ending((worker) => {
    worker.emit('error', new Error('out of memory'))
    return worker.terminate()
  })
  await expect(failing).rejects.toThrow('out of memory')
})
