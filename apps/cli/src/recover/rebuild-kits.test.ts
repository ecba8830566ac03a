import { codecFor } from '@holdfast/chain-registry/codec'
import { decode, toHex } from '@holdfast/encoding'
import { derivePublicKey, type KeyShare, PROTOCOL, PROTOCOLS, verifyByRootKey } from '@holdfast/mpc'
import { drillDigest, drillRecordShape } from '@holdfast/protocol'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { HDKey } from '@scure/bip32'
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { publicKeyToAddress } from 'viem/accounts'
import { generateKey } from '../testing/generate-key.ts'
import { makeKit, newOfficer, sealShare } from '../testing/make-kit.ts'
import { familiesOf } from './networks.ts'
import { runCli } from '../testing/run-cli.ts'
import { foundOrganisation } from '../testing/test-organisation.ts'

// HOLDFAST_RECOVERY_KITS kits of keys of all kinds; each is rebuilt by the tool as one file, in a folder that has nothing but the kit and the identities.
const KITS = Number(process.env.HOLDFAST_RECOVERY_KITS ?? 2)
const ADDRESSES = 100
const NEEDS = 2

const hasNamespaces = spawnSync('unshare', ['-rn', 'true']).status === 0

describe('a recovery kit in a bare folder', () => {
  let folder = ''
  let tool = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rebuild-'))
    tool = join(folder, 'holdfast-recover.mjs')
    assert.equal((await runCli('recover', 'pack', tool)).code, 0)
  })
  after(() => rm(folder, { recursive: true }))

  /** Runs the tool with nothing around it: an empty environment, and where the system can, a network of its own that leads nowhere. */
  const runAlone = (cwd: string, args: string[]): Promise<{ code: unknown; out: string }> =>
    new Promise((resolve) => {
      const command = [process.execPath, tool, ...args]
      const [program, ...rest] = hasNamespaces ? ['unshare', '-rn', ...command] : command
      execFile(program!, rest, { cwd, env: { PATH: '/usr/bin:/bin' }, maxBuffer: 1 << 24 }, (error, stdout, stderr) =>
        resolve({ code: error ? (error.code ?? error.signal) : 0, out: stdout + stderr }),
      )
    })

  async function prepare(number: number): Promise<{ cwd: string; share: KeyShare; identities: string[] }> {
    const protocol = number % 5 === 3 ? PROTOCOLS[1]! : number % 5 === 4 ? PROTOCOLS[2]! : PROTOCOL
    const organisation = foundOrganisation(`Organisation ${number}`)
    const shares = generateKey(organisation, `rebuild ${number}`, protocol)
    const cwd = join(folder, `kit-${number}`)
    await mkdir(cwd)
    const officers = await Promise.all([0, 1, 2].map((i) => Promise.all([0, 1, 2].map((j) => newOfficer(`officer-${i}-${j}`)))))
    const recipients = officers.map((group) => group.map(({ recipient }) => recipient))
    const signed = await Promise.all(shares.map((share, i) => sealShare(organisation, share, recipients[i]!, undefined, NEEDS)))
    await writeFile(join(cwd, 'kit'), makeKit(organisation, shares[0]!, signed, {}, ADDRESSES))
    // Officers of two of the three signers, two of three of each.
    const away = number % 3
    const present = officers.filter((_, i) => i !== away).flatMap((group) => group.filter((_, j) => j !== number % 3))
    for (const { path, secret } of present) await writeFile(join(cwd, path), secret)
    return { cwd, share: shares[0]!, identities: present.flatMap(({ path }) => ['--identity', path]) }
  }

  it('rebuilds its key without a network, with 100 addresses as two other libraries derive them', async () => {
    const times: number[] = []
    for (let number = 0; number < KITS; number++) {
      const { cwd, share, identities } = await prepare(number)
      const { protocol, publicKey, chainCode } = share
      const startedMs = performance.now()
      const { code, out } = await runAlone(cwd, ['verify', '--kit', 'kit', ...identities, '--out', 'drill', '--addresses', String(ADDRESSES)])
      times.push(performance.now() - startedMs)
      assert.equal(code, 0, out)
      const root = protocol === PROTOCOL ? new HDKey({ publicKey, chainCode }) : null
      for (let i = 0; i < ADDRESSES; i++) {
        const wanted = root
          ? [['eip155', publicKeyToAddress(`0x${toHex(decompressed(root.derive(`m/${i}/0`).publicKey!))}`)]]
          : familiesOf(protocol).map(({ example }) => [
              example.split(':')[0],
              codecFor(example)!.addressFromKey(derivePublicKey(protocol, publicKey, chainCode, [i, 0])),
            ])
        assert.ok(wanted.length > 0)
        for (const [network, address] of wanted) assert.ok(out.split('\n').includes(`m/${i}/0 ${network} ${address}`), `kit ${number}, m/${i}/0: ${out}`)
      }
      const { drill, signature } = decode(drillRecordShape, new Uint8Array(await readFile(join(cwd, 'drill'))))
      assert.ok(verifyByRootKey(protocol, signature, drillDigest(drill), publicKey))
      assert.equal(drill.addressesChecked, root ? BigInt(ADDRESSES) : 0n)
      assert.deepEqual((await readdir(cwd)).filter((name) => !name.startsWith('officer-')).sort(), ['drill', 'kit'], 'nothing else is left behind')
    }
    const sorted = times.sort((a, b) => a - b)
    console.log(
      `${KITS} kits rebuilt ${hasNamespaces ? 'without a network' : 'with the network unused'}: median ${Math.round(sorted[sorted.length >> 1]!)} ms, slowest ${Math.round(sorted.at(-1)!)} ms`,
    )
  })

  it('is one file whose bytes say which tool it is', async () => {
    const again = join(folder, 'again.mjs')
    const { out } = await runCli('recover', 'pack', again)
    assert.match(out, /SHA-256 [0-9a-f]{64}$/)
    assert.deepEqual(await readFile(again), await readFile(tool))
    assert.equal((await runCli('recover', 'pack', again)).code, 2)
    const { code, out: said } = await runAlone(folder, ['nothing'])
    assert.equal(code, 2)
    assert.match(said, /recover knows new-identity, verify, sweep/)
  })
})

const decompressed = (publicKey: Uint8Array) => secp256k1.Point.fromBytes(publicKey).toBytes(false)
