import { nodePorts } from '@holdfast/ports/node'
import { compileFunc } from '@ton-community/func-js'
import { fileURLToPath } from 'node:url'

const CONTRACTS = ['jetton-master', 'jetton-wallet']

/** A contract's code as a bag of cells in base64, and what made it. */
export type Artifact = { contract: string; compiler: string; code: string }

const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** Compiles every contract of this folder. Returns the artifacts by their file name; throws with the compiler's words on any error. */
export async function compileContracts(): Promise<Map<string, Artifact>> {
  const artifacts = new Map<string, Artifact>()
  for (const contract of CONTRACTS) {
    const sources: Record<string, string> = {}
    for (const name of ['jetton.fc', `${contract}.fc`]) sources[name] = new TextDecoder().decode(await nodePorts.disk.read(pathOf(name)))
    const result = await compileFunc({ targets: [`${contract}.fc`], sources })
    if (result.status === 'error') throw new Error(result.message)
    artifacts.set(`${contract}.json`, { contract, compiler: 'func 0.4.6', code: result.codeBoc })
  }
  return artifacts
}

if (import.meta.main) {
  for (const [file, artifact] of await compileContracts()) {
    await nodePorts.disk.writeAtomic(pathOf(`../artifacts/${file}`), new TextEncoder().encode(`${JSON.stringify(artifact)}\n`), 0o644)
    nodePorts.process.print(`${file}: ${Buffer.from(artifact.code, 'base64').length} bytes of code`)
  }
}
