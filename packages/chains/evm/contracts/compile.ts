import { nodePorts } from '@holdfast/ports/node'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

type Source = { source: string; contract: string; artifact: string }

/** For the local networks and for tests. */
const PLAY: Source[] = [
  { source: 'dev-dollar.sol', contract: 'DevDollar', artifact: 'dev-dollar.json' },
  { source: 'dev-collectible.sol', contract: 'DevCollectible', artifact: 'dev-collectible.json' },
  { source: 'dev-items.sol', contract: 'DevItems', artifact: 'dev-items.json' },
  { source: 'dev-exchange.sol', contract: 'DevExchange', artifact: 'dev-exchange.json' },
  { source: 'dev-router.sol', contract: 'DevRouter', artifact: 'dev-router.json' },
  { source: 'hostile-token.sol', contract: 'HostileToken', artifact: 'hostile-token.json' },
  { source: 'odd-token.sol', contract: 'OddToken', artifact: 'odd-token.json' },
]

/** What moves money on any network: their bytes are pinned (`codec/collect/pinned-contracts.ts`, `codec/payouts/deployment.ts`), and nothing in them asks for a newer network. */
const PINNED: Source[] = [
  { source: 'collector.sol', contract: 'Collector', artifact: 'collector.json' },
  { source: 'sweeper.sol', contract: 'Sweeper', artifact: 'sweeper.json' },
  { source: 'payouts.sol', contract: 'Payouts', artifact: 'payouts.json' },
]

export type Artifact = {
  contract: string
  compiler: string
  abi: unknown[]
  bytecode: `0x${string}`
  /** Of pinned contracts: the code as it stands on a network, zeros where its immutable values are, and where those begin, in bytes, by their names. */
  runtime?: { code: `0x${string}`; immutables: Record<string, number[]> }
}

type Node = { id?: number; name?: string; nodes?: Node[] }
type Code = { object: string; immutableReferences?: Record<string, { start: number; length: number }[]> }
type SolcOutput = {
  errors?: { severity: string; formattedMessage: string }[]
  sources: Record<string, { ast: Node }>
  contracts: Record<string, Record<string, { abi: unknown[]; evm: { bytecode: Code; deployedBytecode: Code } }>>
}

const require = createRequire(import.meta.url)
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Compiles every contract of this folder. Returns the artifacts by their file name; throws with the compiler's words on any error or warning. */
export async function compileContracts(): Promise<Map<string, Artifact>> {
  return new Map([...(await compile(PLAY, 'cancun', false)), ...(await compile(PINNED, 'paris', true))])
}

async function compile(contracts: Source[], evmVersion: string, isPinned: boolean): Promise<[string, Artifact][]> {
  const solc = require('solc') as { compile(input: string): string; version(): string }
  const sources: Record<string, { content: string }> = {}
  for (const { source } of contracts) await addSource(sources, source)
  const settings = {
    evmVersion,
    optimizer: { enabled: true, runs: 200 },
    // Without the hash of the sources the bytecode depends on the code alone, not on comments or folders.
    metadata: { bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object', ...(isPinned ? ['evm.deployedBytecode'] : [])], ...(isPinned ? { '': ['ast'] } : {}) } },
  }
  const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }))) as SolcOutput
  if (output.errors?.length) throw new Error(output.errors.map((error) => error.formattedMessage).join('\n'))
  return contracts.map(({ source, contract, artifact }) => {
    const { abi, evm } = output.contracts[source]![contract]!
    const made: Artifact = { contract, compiler: `solc ${solc.version()}`, abi, bytecode: `0x${evm.bytecode.object}` }
    return [artifact, isPinned ? { ...made, runtime: runtimeOf(evm.deployedBytecode, output) } : made]
  })
}

/** The compiler names immutable values by the numbers of their declarations; the syntax trees have the names. */
function runtimeOf({ object, immutableReferences = {} }: Code, { sources }: SolcOutput): NonNullable<Artifact['runtime']> {
  const nodes = (node: Node): Node[] => [node, ...(node.nodes ?? []).flatMap(nodes)]
  const names = new Map(Object.values(sources).flatMap(({ ast }) => nodes(ast).map(({ id, name }) => [String(id), name])))
  const immutables = Object.entries(immutableReferences).map(([id, places]) => [names.get(id) ?? id, places.map(({ start }) => start)])
  return { code: `0x${object}`, immutables: Object.fromEntries(immutables) as Record<string, number[]> }
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
