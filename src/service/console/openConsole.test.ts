import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { patience } from '../../../test/patience.ts'
import { createLog } from '../../util/log.ts'
import { openConsole } from './openConsole.ts'

test('error: a failed console build is reported as an error with a remedy, which the demo also shows', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'console-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const script = join(folder, 'build.ts')
  writeFileSync(script, `throw new Error('a package is missing')`)
  const lines: string[] = []
  const log = createLog({
    level: 'error',
    mask: (line) => line,
    destination: { write: (line: string) => void lines.push(line) },
  })
  const { signal } = new AbortController()
  const state = openConsole({ log, signal, sources: { script, built: join(folder, 'built') } })
  expect(state()).toEqual({ status: 'building' })
  await vi.waitUntil(() => lines.length > 0, patience)
  expect(lines.join('')).toMatch(/console unavailable: build failed; .*npm ci/)
  expect(lines.join('')).toMatch(/a package is missing/)
  expect(state()).toEqual({ status: 'absent' })
})
