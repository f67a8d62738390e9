export type Instruction = { name: string; rest: string }

/** Returns the stages of a Dockerfile with their instructions. Continued lines are joined. */
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

/** Returns the arguments of every instruction of this name in a stage. */
export const all = (stage: readonly Instruction[], name: string) =>
  stage.filter((instruction) => instruction.name === name).map(({ rest }) => rest)

/** Returns the variables of a stage's ENV instructions. */
export const environmentOf = (stage: readonly Instruction[]) =>
  Object.fromEntries(
    all(stage, 'ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=') as [string, string])),
  )
