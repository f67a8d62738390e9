/** What a command that a test starts sees of the environment: nothing of this process, but where Node keeps what it compiled. */
// biome-ignore lint/style/noProcessEnv: set by vitest.config.ts for programs that tests start
export const commandEnv = { PATH: '/usr/bin:/bin', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
