import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Abi, formatAbi } from 'abitype'

/** Contracts that ship with the demo. All others serve only tests. */
const demoContracts = new Set(['Demo721', 'DemoHorizons', 'Demo1155'])
/** Contracts whose code tests put at an address without a constructor. */
const withRuntimeCode = new Set(['Multicall'])

type Contract = { abi: Abi; evm: { bytecode: { object: string }; deployedBytecode: { object: string } } }
type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, Contract>>
}
type Source = { file: string; content: string }

const root = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)
const solc = require('solc') as { compile(input: string, callbacks: object): string }

const sources = readdirSync(join(root, 'contracts'))
  .filter((file) => file.endsWith('.sol'))
  .map((file) => ({ file, content: readFileSync(join(root, 'contracts', file), 'utf8') }))
const [withOpenZeppelin, alone] = [true, false].map((wanted) =>
  sources.filter(({ content }) => content.includes('@openzeppelin/') === wanted),
) as [Source[], Source[]]
// OpenZeppelin needs cancun. shanghai is the last EVM version in which selfdestruct removes code.
compile(withOpenZeppelin, 'cancun')
compile(alone, 'shanghai')

function compile(sources: Source[], evmVersion: string): void {
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(sources.map(({ file, content }) => [file, { content }])),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      // Without the hash of the sources at its end, the code changes only if the contract does.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      evmVersion,
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const findImport = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') })
  const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport })) as SolcOutput
  // Warnings are ignored: one is about selfdestruct, which tests need, and the others about OpenZeppelin's code.
  const errors = (output.errors ?? []).filter((error) => error.severity === 'error')
  for (const error of errors) process.stderr.write(`${error.formattedMessage}\n`)
  if (errors.length > 0) process.exit(1)
  // Abstract contracts have no code.
  for (const { file } of sources)
    for (const [name, contract] of Object.entries(output.contracts[file] ?? {}))
      if (contract.evm.bytecode.object !== '') write(file, name, contract)
}

function write(source: string, contract: string, { abi, evm }: Contract): void {
  const name = contract[0]!.toLowerCase() + contract.slice(1)
  const shipped = demoContracts.has(contract)
  const folder = join(root, shipped ? 'src/cli/demo/contracts' : 'test/contracts/artifacts')
  // Error types are omitted: viem then shows a revert by its selector, which is enough for tests.
  const lines = formatAbi(abi.filter((item) => item.type !== 'error')).map((line) => `    '${line}',\n`)
  const runtime = withRuntimeCode.has(contract) ? `  runtime: '0x${evm.deployedBytecode.object}',\n` : ''
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, shipped ? `${name}.artifact.ts` : `${name}.ts`),
    `// Written by scripts/compileContracts.ts from contracts/${source}.\nimport { parseAbi } from 'viem'\n\n` +
      `export const ${name} = {\n  abi: parseAbi([\n${lines.join('')}  ]),\n` +
      `  bytecode: '0x${evm.bytecode.object}',\n${runtime}} as const\n`,
  )
}
