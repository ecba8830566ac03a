import { encode } from '@holdfast/encoding'
import { cosign, entryShape, formatCheckpoint, leafHash, MerkleTree, parseCheckpoint } from '@holdfast/log'
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { runCli } from '../testing/run-cli.ts'
import { foundOrganisation, seed } from '../testing/test-organisation.ts'
import { LogRefused, verifyLogFile } from '@holdfast/protocol/verify-log-file'

const acme = foundOrganisation()
const COUNT = 40
// HOLDFAST_THOROUGH=1 tries four times as many changes.
const THOROUGH = process.env.HOLDFAST_THOROUGH
const entries = Array.from({ length: COUNT }, (_, i) =>
  encode(entryShape, {
    genesis: acme.fingerprint,
    sequence: BigInt(i),
    atMs: 1_000n,
    type: i === 0 ? 'genesis' : 'intent',
    body: i === 0 ? acme.genesisRecord : seed(`body ${i}`),
  }),
)

function noteOf(all: readonly Uint8Array[], size: number, parties = [1, 3]): string {
  const tree = new MerkleTree()
  for (const entry of all) tree.append(leafHash(entry))
  const checkpoint = { genesis: acme.fingerprint, size, root: tree.root(size) }
  return formatCheckpoint(
    checkpoint,
    parties.map((party) => cosign(checkpoint, `signer-${party}`, acme.signerSecrets[party - 1]!)),
  )
}

function fileOf(all: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(all.flatMap((entry) => [...new Uint8Array(new Uint32Array([entry.length]).buffer).reverse(), ...entry]))
}

async function* inPieces(file: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size)
}

const verify = (file: Uint8Array, notes: string[], pieceSize = 1000) => verifyLogFile(inPieces(file, pieceSize), notes.map(parseCheckpoint), undefined)
const NOTES = [noteOf(entries, COUNT), noteOf(entries, 7)]

describe('an exported log', () => {
  it('is whole under checkpoints of different times, in pieces of any size', async () => {
    for (const size of [1, 3, 4096, 1 << 20]) {
      const report = await verify(fileOf(entries), NOTES, size)
      assert.deepEqual(
        [report.organisation, report.entries, report.checkpoints],
        [
          'Acme Treasury',
          COUNT,
          [
            { size: 7, witnesses: ['North', 'West'] },
            { size: COUNT, witnesses: ['North', 'West'] },
          ],
        ],
      )
    }
  })

  it('is refused when any byte under a checkpoint is changed', async () => {
    const file = fileOf(entries)
    await fc.assert(
      fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const damaged = Uint8Array.from(file)
        damaged[at]! ^= change
        await assert.rejects(verify(damaged, NOTES), LogRefused)
      }),
      { numRuns: THOROUGH ? 300 : 75 },
    )
  })

  it('is refused when entries are dropped, inserted, exchanged or rewritten, even with numbers that fit', async () => {
    const renumbered = (all: Uint8Array[], from: number) =>
      all.map((_, i) =>
        i < from
          ? entries[i]!
          : encode(entryShape, {
              genesis: acme.fingerprint,
              sequence: BigInt(i),
              atMs: 1_000n,
              type: 'intent',
              body: seed(`forged ${i}`),
            }),
      )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: COUNT - 1 }), fc.integer({ min: 1, max: COUNT - 1 }), async (i, j) => {
        fc.pre(i !== j)
        const exchanged = entries.map((entry, k) => (k === i ? entries[j]! : k === j ? entries[i]! : entry))
        const edits = [entries.toSpliced(i, 1), entries.toSpliced(i, 0, entries[j]!), exchanged, entries.slice(0, i), renumbered(entries, i)]
        for (const edited of edits) await assert.rejects(verify(fileOf(edited), NOTES), LogRefused)
      }),
      { numRuns: THOROUGH ? 60 : 15 },
    )
  })

  it('that forked is refused by the checkpoint of the other branch', async () => {
    const fork = entries.map((entry, i) =>
      i < 7
        ? entry
        : encode(entryShape, {
            genesis: acme.fingerprint,
            sequence: BigInt(i),
            atMs: 2_000n,
            type: 'intent',
            body: seed(`fork ${i}`),
          }),
    )
    await verify(fileOf(fork), [noteOf(fork, COUNT), NOTES[1]!])
    await assert.rejects(verify(fileOf(fork), [noteOf(fork, COUNT), NOTES[0]!]), /the log was changed/)
  })

  it('is not witnessed by one signer alone, nor by the same signer twice', async () => {
    await assert.rejects(verify(fileOf(entries), [noteOf(entries, COUNT, [2])]), /1 signer's signature/)
    await assert.rejects(verify(fileOf(entries), [noteOf(entries, COUNT, [2, 2])]), /1 signer's signature/)
  })

  it('may have entries that no checkpoint covers yet, and says so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'log-'))
    try {
      const put = async (name: string, content: Uint8Array | string) => {
        await writeFile(join(folder, name), content)
        return join(folder, name)
      }
      const log = await put('log', fileOf(entries))
      const { code, out } = await runCli('verify-log', log, await put('checkpoint', NOTES[1]!))
      assert.equal(code, 0)
      for (const part of ['VERIFIED', '40 entries (genesis 1, intent 39)', 'The first 7 entries are witnessed by North, West.', '33 entries are newer']) {
        assert.ok(out.includes(part), part)
      }
      const cut = await runCli('verify-log', await put('cut', fileOf(entries.slice(0, 5))), join(folder, 'checkpoint'), '--lang', 'zh-CN')
      assert.equal(cut.code, 1)
      assert.match(cut.err, /未通过/)
      assert.equal((await runCli('verify-log', log, log)).code, 1)
      assert.equal((await runCli('verify-log', log)).code, 2)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
