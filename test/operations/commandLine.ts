import type { Command } from 'commander'
import { createProgram } from '../../src/cli/createProgram.ts'
import { createPrint } from '../../src/cli/report/print.ts'
import { createSecrets } from '../../src/util/urls/secrets.ts'

const program = createProgram({
  print: createPrint(process.stdout, process.stderr, (text) => text),
  prompt: undefined,
  secrets: createSecrets(),
  signal: new AbortController().signal,
})

/** The errors for commands and options of Mintmark that a shell text uses but that do not exist. */
export function faultsOfCommands(text: string): string[] {
  const joined = text.replaceAll('\\\n', ' ')
  return [...joined.matchAll(/(?:^|[\s/(`])(?<!exec )mintmark((?: +[^\s|;&)`]+)+)/gm)].flatMap(([line, words]) => {
    const all = words!.trim().split(/ +/)
    const last = all.lastIndexOf('mintmark')
    return faultsOf(all.slice(last + 1)).map((fault) => `${line.trim()}: ${fault}`)
  })
}

function faultsOf(words: string[]): string[] {
  let command: Command = program
  const rest = [...words]
  while (command.commands.length > 0 && rest[0] && !rest[0].startsWith('-')) {
    const found = command.commands.find((one) => one.name() === rest[0])
    // This command also has subcommands, so the word is its first argument.
    if (!found && command.registeredArguments.length > 0) break
    if (!found) return [`there is no command ${rest[0]}`]
    command = found
    rest.shift()
  }
  const known = [...command.options.map(({ long }) => long), '--help', '--version']
  return rest
    .filter((word) => word.startsWith('--'))
    .map((word) => word.replace(/[=.,].*$/, ''))
    .filter((option) => !known.includes(option))
    .map((option) => `${command.name()} has no option ${option}`)
}
