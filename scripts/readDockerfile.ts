export type Instruction = { name: string; rest: string }

/** The stages of a Dockerfile, each with its instructions, continued lines joined. */
export function readDockerfile(text: string): Instruction[][] {
  return text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split(/^(?=FROM )/m)
    .filter((stage) => stage.trim() !== '')
    .map((stage) =>
      stage
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line): Instruction => {
          const [, name, rest] = /^([A-Z]+) (.*)$/.exec(line)!
          return { name: name!, rest: rest! }
        }),
    )
}

/** What follows an instruction wherever the stage has it. */
export const all = (stage: readonly Instruction[], name: string) =>
  stage.filter((instruction) => instruction.name === name).map(({ rest }) => rest)

/** The pairs of its ENV. */
export const environmentOf = (stage: readonly Instruction[]) =>
  Object.fromEntries(
    all(stage, 'ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string])),
  )
