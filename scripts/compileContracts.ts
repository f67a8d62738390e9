import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Abi, formatAbi } from 'abitype'

/** What is shipped with the demo; everything else serves tests only. */
const demoContracts = new Set(['Demo721', 'Demo1155'])
/** Contracts whose code is put at an address without a constructor. */
const withRuntimeCode = new Set(['Multicall'])
/** Only there to be inherited. */
const skipped = new Set(['Bare721'])

type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<
    string,
    Record<string, { abi: Abi; evm: { bytecode: { object: string }; deployedBytecode: { object: string } } }>
  >
}

const root = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)
const solc = require('solc') as { compile(input: string, callbacks: object): string }

const sources = readdirSync(join(root, 'contracts')).filter((file) => file.endsWith('.sol'))
const input = {
  language: 'Solidity',
  sources: Object.fromEntries(sources.map((f) => [f, { content: readFileSync(join(root, 'contracts', f), 'utf8') }])),
  settings: {
    optimizer: { enabled: true, runs: 200 },
    // Without the hash of the sources at its end the code changes only where the contract does.
    metadata: { bytecodeHash: 'none', appendCBOR: false },
    evmVersion: 'cancun',
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'] } },
  },
}
const findImport = (path: string) => ({ contents: readFileSync(require.resolve(path), 'utf8') })
const output = JSON.parse(solc.compile(JSON.stringify(input), { import: findImport })) as SolcOutput
for (const error of output.errors ?? []) process.stderr.write(`${error.formattedMessage}\n`)
if (output.errors?.some((error) => error.severity === 'error')) process.exit(1)

const written: string[] = []
for (const source of sources) {
  for (const [contract, { abi, evm }] of Object.entries(output.contracts[source] ?? {})) {
    if (skipped.has(contract) || evm.bytecode.object === '') continue
    const name = contract[0]!.toLowerCase() + contract.slice(1)
    const folder = demoContracts.has(contract) ? 'src/cli/demo/contracts' : 'test/contracts/artifacts'
    const file = join(root, folder, demoContracts.has(contract) ? `${name}.artifact.ts` : `${name}.ts`)
    // Errors are left out: viem then names a revert by its selector, which no test needs to read.
    const lines = formatAbi(abi.filter((item) => item.type !== 'error')).map((line) => `    ${JSON.stringify(line)},`)
    const runtime = withRuntimeCode.has(contract) ? `\n  runtime: '0x${evm.deployedBytecode.object}',` : ''
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(
      file,
      `// Written by scripts/compileContracts.ts from contracts/${source}.\nimport { parseAbi } from 'viem'\n\n` +
        `export const ${name} = {\n  abi: parseAbi([\n${lines.join('\n')}\n  ]),` +
        `\n  bytecode: '0x${evm.bytecode.object}',${runtime}\n} as const\n`,
    )
    written.push(file)
  }
}
const shipped = written.filter((file) => file.includes('/src/'))
if (shipped.length > 0) execFileSync('npx', ['biome', 'check', '--write', ...shipped], { cwd: root, stdio: 'inherit' })
