import { nodePorts } from '@holdfast/ports/node'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const CONTRACTS = [
  { source: 'dev-dollar.sol', contract: 'DevDollar', artifact: 'dev-dollar.json' },
  { source: 'dev-collectible.sol', contract: 'DevCollectible', artifact: 'dev-collectible.json' },
  { source: 'dev-items.sol', contract: 'DevItems', artifact: 'dev-items.json' },
  { source: 'dev-exchange.sol', contract: 'DevExchange', artifact: 'dev-exchange.json' },
  { source: 'hostile-token.sol', contract: 'HostileToken', artifact: 'hostile-token.json' },
]

export type Artifact = { contract: string; compiler: string; abi: unknown[]; bytecode: `0x${string}` }

type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  contracts: Record<string, Record<string, { abi: unknown[]; evm: { bytecode: { object: string } } }>>
}

const require = createRequire(import.meta.url)
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Compiles every contract of this folder. Returns the artifacts by their file name; throws with the compiler's words on any error or warning. */
export async function compileContracts(): Promise<Map<string, Artifact>> {
  const solc = require('solc') as { compile(input: string): string; version(): string }
  const sources: Record<string, { content: string }> = {}
  for (const { source } of CONTRACTS) await addSource(sources, source)
  const settings = {
    evmVersion: 'cancun',
    optimizer: { enabled: true, runs: 200 },
    // Without the hash of the sources the bytecode depends on the code alone, not on comments or folders.
    metadata: { bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  }
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }))) as SolcOutput
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'))
  return new Map(
    CONTRACTS.map(({ source, contract, artifact }) => {
      const { abi, evm } = output.contracts[source]![contract]!
      return [artifact, { contract, compiler: `solc ${solc.version()}`, abi, bytecode: `0x${evm.bytecode.object}` }]
    }),
  )
}

/** Adds a source file and all it imports, since the compiler itself reads no files. */
async function addSource(sources: Record<string, { content: string }>, name: string): Promise<void> {
  if (sources[name]) return
  const file = await nodePorts.disk.read(name.startsWith('@') ? require.resolve(name) : pathOf(name))
  if (!file) throw new Error(`no source ${name}`)
  const content = new TextDecoder().decode(file)
  sources[name] = { content }
  for (const [, imported] of content.matchAll(/^import\s[^;]*?"([^"]+)";/gm)) {
    await addSource(sources, imported!.startsWith('.') ? new URL(imported!, `file:///${name}`).pathname.slice(1) : imported!)
  }
}

if (import.meta.main) {
  for (const [file, artifact] of await compileContracts()) {
    await nodePorts.disk.writeAtomic(pathOf(`../artifacts/${file}`), new TextEncoder().encode(`${JSON.stringify(artifact)}\n`), 0o644)
    nodePorts.process.print(`${file}: ${(artifact.bytecode.length - 2) / 2} bytes of code`)
  }
}
