import { keepCompiled } from './cli/keepCompiled.ts'

// Before all else: only what is loaded from here on is kept.
keepCompiled()
const { runProcess } = await import('./cli/runProcess.ts')
await runProcess()
