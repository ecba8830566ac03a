import { codecFor } from '@holdfast/chain-registry/codec'
import { decode, toHex } from '@holdfast/encoding'
import { derivePublicKey, FROST_ED25519, FROST_TAPROOT, type KeyShare, PROTOCOL, PROTOCOLS, verifyByRootKey } from '@holdfast/mpc'
import { recipientFingerprint } from '@holdfast/policy'
import { drillDigest, drillRecordShape, kitHash, recoveryKitShape } from '@holdfast/protocol'
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Identity } from './recovery-identity.ts'
import { generateKey } from '../testing/generate-key.ts'
import { makeKit, newOfficer, sealShare } from '../testing/make-kit.ts'
import { runCli } from '../testing/run-cli.ts'
import { foundOrganisation } from '../testing/test-organisation.ts'

const acme = foundOrganisation()

describe('a kit whose shares open for several officers together', () => {
  let folder = ''
  const at = (name: string) => join(folder, name)
  /** The officers of signer 1, 2 and 3: two of three, two of two, three of four. */
  const groups = [
    { of: 3, needs: 2 },
    { of: 2, needs: 2 },
    { of: 4, needs: 3 },
  ]
  const officers: Identity[][] = []
  const keys = new Map<string, KeyShare[]>()

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'officers-'))
    for (const [i, { of }] of groups.entries()) officers.push(await Promise.all(Array.from({ length: of }, (_, j) => newOfficer(at(`officer-${i}-${j}`)))))
    for (const { path, secret } of officers.flat()) await writeFile(path, secret)
    for (const protocol of PROTOCOLS) {
      const shares = generateKey(acme, 'officers', protocol)
      keys.set(protocol, shares)
      const signed = await Promise.all(
        shares.map((share, i) =>
          sealShare(
            acme,
            share,
            officers[i]!.map(({ recipient }) => recipient),
            undefined,
            groups[i]!.needs,
          ),
        ),
      )
      await writeFile(at(nameOf(protocol)), makeKit(acme, shares[0]!, signed, {}, 3))
    }
  })
  after(() => rm(folder, { recursive: true }))

  const nameOf = (protocol: string) => `kit-${protocol.replaceAll('/', '-')}`
  const verify = (protocol: string, who: [number, number][], ...more: string[]) =>
    runCli('recover', 'verify', '--kit', at(nameOf(protocol)), ...who.flatMap(([i, j]) => ['--identity', officers[i]![j]!.path]), ...more)
  const fingerprint = ([i, j]: [number, number]) => recipientFingerprint(officers[i]![j]!.recipient)

  /** A child by its address on the first network that takes signatures of its kind, or by itself where there is none. */
  const nameOfChild = (protocol: string, child: Uint8Array) => {
    const chain = { [PROTOCOL]: 'eip155:1', [FROST_TAPROOT]: 'bip122:000000000019d6689c085ae165831e93', [FROST_ED25519]: 'ton:-239' }[protocol]
    return chain ? `${chain.split(':')[0]} ${codecFor(chain)!.addressFromKey(child)}` : `${protocol} ${toHex(child)}`
  }

  it('rebuilds a key of every kind, derives its children, and lets the key itself sign the drill', async () => {
    for (const protocol of PROTOCOLS) {
      const out = at(`drill-${nameOf(protocol)}`)
      const ended = await verify(protocol, [...both(0, [2, 0]), ...both(1, [0, 1])], '--out', out, '--addresses', '4')
      assert.equal(ended.code, 0, ended.err)
      const { publicKey, chainCode } = keys.get(protocol)![0]!
      const { drill, signature } = decode(drillRecordShape, new Uint8Array(await readFile(out)))
      assert.ok(verifyByRootKey(protocol, signature, drillDigest(drill), publicKey), protocol)
      assert.deepEqual(drill.kitHash, kitHash(decode(recoveryKitShape, new Uint8Array(await readFile(at(nameOf(protocol)))))))
      for (const path of [0, 1, 2, 3].map((i) => [i, 0])) {
        const child = derivePublicKey(protocol, publicKey, chainCode, path)
        const wanted = `m/${path.join('/')} ${nameOfChild(protocol, child)}`
        assert.ok(ended.out.includes(wanted), wanted)
      }
      assert.ok(ended.out.includes('found equal: 4.'))
    }
  })

  it('opens for any officers that are enough, and for no others; each that is missing is named', async () => {
    const enough = await verify(PROTOCOL, [...both(0, [0, 1]), [2, 3], [2, 0], [2, 2]])
    assert.equal(enough.code, 0, enough.err)
    assert.match(enough.out, new RegExp(`${fingerprint([0, 2])}: not here`))
    const tooFew = await verify(PROTOCOL, [...both(0, [0, 1]), [1, 0], [2, 3], [2, 0]])
    assert.equal(tooFew.code, 1)
    assert.match(tooFew.out, /signer 2 \(East\): not opened: 2 officers together open it, and 1 of them/)
    assert.match(tooFew.out, /signer 3 \(West\): not opened: 3 officers together open it, and 2 of them/)
    for (const missing of [
      [1, 1],
      [2, 1],
      [2, 2],
    ] as [number, number][])
      assert.ok(tooFew.out.includes(`${fingerprint(missing)}: not here`))
    const chinese = await verify(PROTOCOL, [...both(0, [0, 1]), [1, 0]], '--lang', 'zh-CN')
    assert.match(chinese.out, /未打开：须由 2 名负责人共同打开，现有 1 名/)
  })

  it('says which identity file opens nothing in it', async () => {
    const stranger = await newOfficer(at('stranger'))
    await writeFile(stranger.path, stranger.secret)
    const ended = await verify(PROTOCOL, [...both(0, [0, 1]), ...both(1, [0, 1])], '--identity', stranger.path)
    assert.equal(ended.code, 0, ended.err)
    assert.ok(ended.out.includes(`The identity in ${stranger.path} opens nothing in this kit`))
  })

  it('takes no option that means nothing to it', async () => {
    for (const more of [['--addresses', '20000'], ['--addresses', 'x'], ['--plan', 'x'], ['--confirm', 'x'], ['extra']]) {
      assert.equal((await verify(PROTOCOL, [[0, 0]], ...more)).code, 2, more.join(' '))
    }
  })
})

const both = (group: number, members: [number, number]): [number, number][] => members.map((member) => [group, member])
