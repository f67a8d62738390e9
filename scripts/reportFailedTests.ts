import { readFile } from 'node:fs/promises'

type Report = {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

const mostOfMessage = 2_000

/** Prints the failed tests of a vitest report, each with the start of its message. With `--files` it prints only their files. */
const report = JSON.parse(await readFile(process.argv[2]!, 'utf8')) as Report
const filesOnly = process.argv[3] === '--files'
for (const { name, status, message, assertionResults } of report.testResults) {
  if (filesOnly) {
    if (status === 'failed') console.log(name)
    continue
  }
  const tests = assertionResults.filter((test) => test.status === 'failed')
  if (tests.length === 0 && status === 'failed') print(name, message)
  for (const test of tests) print(`${name}: ${test.fullName}`, test.failureMessages.join('\n'))
}

function print(what: string, reason: string): void {
  console.log(`× ${what}\n${reason.slice(0, mostOfMessage)}\n`)
}
