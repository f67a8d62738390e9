/** The environment of a command that a test starts. It inherits only the folder in which Node caches compiled code. */
// biome-ignore lint/style/noProcessEnv: set by vitest.config.ts for programs that tests start
export const commandEnv = { PATH: '/usr/bin:/bin', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
