import { keepCompiled } from './cli/keepCompiled.ts'

// Before all else: only modules loaded from here on are cached.
keepCompiled()
const { runProcess } = await import('./cli/runProcess.ts')
await runProcess()
