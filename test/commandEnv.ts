/** The environment of a command that a test starts: nothing of this process but the folder in which Node keeps compiled code. */
// biome-ignore lint/style/noProcessEnv: set by vitest.config.ts for programs that tests start
export const commandEnv = { PATH: '/usr/bin:/bin', NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
