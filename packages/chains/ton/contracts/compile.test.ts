import { nodePorts } from '@holdfast/ports/node'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { compileContracts } from './compile.ts'

it('the committed artifacts are what the sources compile to', async () => {
  const artifacts = await compileContracts()
  assert.ok(artifacts.size > 0)
  for (const [file, artifact] of artifacts) {
    const committed = await nodePorts.disk.read(fileURLToPath(new URL(`../artifacts/${file}`, import.meta.url)))
    assert.ok(committed, `${file} is missing: run node packages/chains/ton/contracts/compile.ts`)
    assert.deepEqual(JSON.parse(new TextDecoder().decode(committed)), artifact)
  }
})
