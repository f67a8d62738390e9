import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** Tests beside threads that keep every core busy: what fails here and passes alone waits for a clock. */
export default mergeConfig(base, defineConfig({ test: { globalSetup: ['test/keepBusy.ts'] } }))
