import { decode, encode } from '@holdfast/encoding'
import { codecFor } from '@holdfast/chain-evm/codec'
import { derivePublicKey, type KeyShare } from '@holdfast/mpc'
import { recipientFingerprint } from '@holdfast/policy'
import { drillDigest, drillRecordShape, kitHash, type RecoveryKit, recoveryKitShape, type Signed, signedShape } from '@holdfast/protocol'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { Examined } from './examine-share.ts'
import { KitRefused, kitsIn } from './open-kit.ts'
import type { Identity } from './recovery-identity.ts'
import { makeKit, newOfficer, sealShare } from '../testing/make-kit.ts'
import { runCli } from '../testing/run-cli.ts'
import { CHAIN, dealShares, foundOrganisation, seed } from '../testing/test-organisation.ts'
import { verifyKit } from './verify-kit.ts'

const acme = foundOrganisation()
const { shares } = dealShares(acme)
const NOW = 6_000_000

describe('a recovery kit', () => {
  const identities: Identity[] = []
  let sealed: Signed[] = []
  before(async () => {
    for (let i = 0; i < 3; i++) identities.push(await newOfficer(`officer-${i}`))
    sealed = await sealAll(shares)
  })

  const sealAll = (each: readonly KeyShare[]) => Promise.all(each.map((share) => sealShare(acme, share, [identities[Number(share.party) - 1]!.recipient])))
  const verify = async (kit: Uint8Array, given: Identity[] = identities) => verifyKit({ kit: kitsIn(kit)[0]!, identities: given, nowMs: NOW, addresses: 1 })
  const with2 = (other: Signed) => makeKit(acme, shares[0]!, [sealed[0]!, other, sealed[2]!])
  const stateOf = (examined: Examined) => (examined.state === 'faulty' ? examined.fault : examined.state)

  it('rebuilds its key from any two shares or from all three, and the key signs the drill', async () => {
    const kit = makeKit(acme, shares[0]!, sealed)
    for (const given of [
      [0, 1],
      [0, 2],
      [1, 2],
      [0, 1, 2],
    ]) {
      const report = await verify(
        kit,
        given.map((i) => identities[i]!),
      )
      assert.deepEqual(
        report.rebuiltBy.map((signer) => Number(signer.party) - 1),
        given,
      )
      assert.equal(report.addressesChecked, 20)
      const { drill, signature } = report.drill!
      assert.ok(secp256k1.verify(signature, drillDigest(drill), shares[0]!.publicKey, { prehash: false }))
      assert.deepEqual(drill, {
        genesis: acme.fingerprint,
        keyId: acme.keyId,
        epoch: 0n,
        kitHash: kitHash(decode(recoveryKitShape, kit)),
        addressesChecked: 20n,
        atMs: BigInt(NOW),
      })
    }
  })

  it('does not rebuild from one share, and says that the others stayed locked', async () => {
    const report = await verify(makeKit(acme, shares[0]!, sealed), [identities[1]!])
    assert.deepEqual(report.shares.map(stateOf), ['locked', 'good', 'locked'])
    assert.equal(report.drill, null)
  })

  it('leaves no share readable in memory it can reach', async () => {
    const report = await verify(makeKit(acme, shares[0]!, sealed))
    for (const each of report.shares) assert.ok(each.state === 'good' && each.share.secretShare.every((byte) => byte === 0))
  })

  it('names the share that is missing, twice there, unsigned, or of another key, epoch or organisation', async () => {
    const recipients = [identities[1]!.recipient]
    const share = shares[1]!
    const old = dealShares(acme, 1n).shares[1]!
    const other = dealShares(acme, 0n, 'other key').shares[1]!
    const cases: [string, Uint8Array][] = [
      ['missing', makeKit(acme, share, [sealed[0]!, sealed[2]!])],
      ['unsigned', with2({ ...sealed[1]!, signature: Uint8Array.of(...seed('x'), ...seed('y')) })],
      ['unsigned', with2({ ...sealed[0]!, party: 2n })],
      ['wrong-epoch', with2(await sealShare(acme, old, recipients))],
      ['wrong-epoch', with2(await sealShare(acme, old, recipients, (each) => ({ ...each, epoch: 0n })))],
      ['other-key', with2(await sealShare(acme, { ...share, keyId: seed('k') }, recipients))],
      ['other-key', with2(await sealShare(acme, { ...share, keyId: seed('k') }, recipients, (each) => ({ ...each, keyId: share.keyId })))],
      ['other-organisation', with2(await sealShare(acme, share, recipients, (each) => ({ ...each, genesis: seed('g') })))],
      ['other-organisation', with2(await sealShare(acme, { ...share, genesis: seed('g') }, recipients))],
      ['undecipherable', with2(await sealShare(acme, share, [identities[0]!.recipient], (each) => ({ ...each, kind: 'single', recipients })))],
      ['undecipherable', with2(await sealShare(acme, share, recipients, (each) => ({ ...each, sealed: each.sealed.slice(0, -1) })))],
      ['unfit', with2(await sealShare(acme, { ...share, secretShare: shares[0]!.secretShare }, recipients))],
      ['unfit', with2(await sealShare(acme, { ...share, protocol: 'other' }, recipients))],
      ['other-public-data', with2(await sealShare(acme, other, recipients))],
    ]
    for (const [fault, kit] of cases) {
      const report = await verify(kit)
      assert.deepEqual(report.shares.map(stateOf), ['good', fault, 'good'], fault)
      assert.equal(report.rebuiltBy.length, 2, fault)
      assert.equal(report.drill, null, `${fault}: a kit that is not sound proves nothing`)
    }
    const twice = await verify(makeKit(acme, share, [sealed[0]!, sealed[1]!, sealed[1]!]))
    assert.deepEqual(twice.shares.map(stateOf), ['good', 'twice', 'missing'])
  })

  it('names the one share that differs from two that agree, though it fits itself', async () => {
    const odd = dealShares(acme, 0n, 'key')
    const other = { ...odd.shares[1]!, chainCode: seed('other chain code') }
    const report = await verify(with2(await sealShare(acme, other, [identities[1]!.recipient])))
    assert.deepEqual(report.shares.map(stateOf), ['good', 'other-public-data', 'good'])
  })

  it('whose addresses, key or founding document are not its own is refused', async () => {
    const kit = decode(recoveryKitShape, makeKit(acme, shares[0]!, sealed))
    const addresses = kit.addresses.map((each, i) => (i === 7 ? { ...each, address: kit.addresses[8]!.address } : each))
    // An address of the key all right, which nobody finds who has lost this kit.
    const far = [541_384_986n, 7n]
    const addressAt = (path: bigint[]) => codecFor(CHAIN)!.addressFromKey(derivePublicKey(kit.protocol, kit.publicKey, kit.chainCode, path.map(Number)))
    const broken: [KitRefused['step'], Partial<RecoveryKit>][] = [
      ['addresses', { addresses }],
      ['addresses', { addresses: [{ ...kit.addresses[0]!, chain: 'bip122:000000000019d6689c085ae165831e93' }] }],
      ['addresses', { addresses: [{ ...kit.addresses[0]!, path: far, address: addressAt(far) }] }],
      ['genesis', { genesisRecord: Uint8Array.of(1) }],
    ]
    for (const [step, change] of broken) await assert.rejects(verify(encode(recoveryKitShape, { ...kit, ...change })), { name: 'KitRefused', step })
    await assert.rejects(verify(Uint8Array.of(1, 2, 3)), { step: 'kit' })
    await assert.rejects(verifyKit({ kit: kitsIn(makeKit(acme, shares[0]!, sealed))[0]!, identities, fingerprint: 'ab'.repeat(32), nowMs: NOW }), {
      step: 'genesis',
    })
    const swapped = await verify(encode(recoveryKitShape, { ...kit, publicKey: dealShares(acme, 0n, 'other key').shares[0]!.publicKey }))
    assert.deepEqual([swapped.drill, swapped.shares.map(stateOf)], [null, ['other-public-data', 'other-public-data', 'other-public-data']])
  })

  it('with any byte of a share changed names that share, and with any other byte changed never passes as the same kit', async () => {
    const kit = makeKit(acme, shares[0]!, sealed, {}, 2)
    const good = (await verify(kit)).drill!
    const second = encode(signedShape, sealed[1]!)
    const start = Buffer.from(kit).indexOf(Buffer.from(second))
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.integer({ min: start, max: start + second.length - 1 }), fc.nat(kit.length - 1)),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const damaged = Uint8Array.from(kit)
          damaged[at]! ^= change
          const report = await verify(damaged).catch((error: unknown) => error)
          if (report instanceof KitRefused) return
          assert.ok(report instanceof Object && 'drill' in report)
          const found = report as Awaited<ReturnType<typeof verify>>
          if (at >= start && at < start + second.length) assert.equal(found.shares[1]!.state, 'faulty')
          if (found.drill) assert.notDeepEqual(found.drill.drill.kitHash, good.drill.kitHash)
        },
      ),
      { numRuns: 40 },
    )
  })
})

describe('recover', () => {
  let folder = ''
  const at = (name: string) => join(folder, name)
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recover-'))
  })
  after(() => rm(folder, { recursive: true }))

  it('makes identities for the officers, and with two of them proves the kit and writes the drill record', async () => {
    const recipients: string[] = []
    for (const i of [1, 2, 3]) {
      const { code, out, err } = await runCli('recover', 'new-identity', at(`officer-${i}`))
      assert.equal(code, 0, err)
      assert.match(out, /^age1pq1[a-z0-9]{1900,}$/)
      assert.ok(err.includes(recipientFingerprint(out)), 'what the founding page will show is said when the identity is made')
      recipients.push(out)
      assert.equal((await stat(at(`officer-${i}`))).mode & 0o777, 0o600)
    }
    const sealed = await Promise.all(shares.map((share, i) => sealShare(acme, share, [recipients[i]!])))
    await writeFile(at('kit'), makeKit(acme, shares[0]!, sealed))
    const { code, out, err } = await runCli(
      'recover',
      'verify',
      '--kit',
      at('kit'),
      '--identity',
      at('officer-1'),
      '--identity',
      at('officer-3'),
      '--out',
      at('drill'),
    )
    assert.equal(code, 0, err)
    for (const part of [
      'Acme Treasury',
      'Share of signer 2 (East): not opened',
      'rebuilt from the shares of North, West',
      'found equal: 20',
      'drill record',
      'Restart',
    ]) {
      assert.ok(out.includes(part), part)
    }
    const { drill, signature } = decode(drillRecordShape, new Uint8Array(await readFile(at('drill'))))
    assert.ok(secp256k1.verify(signature, drillDigest(drill), shares[0]!.publicKey, { prehash: false }))
    const again = await runCli('recover', 'verify', '--kit', at('kit'), '--identity', at('officer-1'), '--identity', at('officer-3'), '--out', at('drill'))
    assert.equal(again.code, 2, 'a drill record is never overwritten')
    const chinese = await runCli('recover', 'verify', '--kit', at('kit'), '--identity', at('officer-1'), '--lang', 'zh-CN')
    assert.equal(chinese.code, 1)
    assert.match(chinese.err, /未能重建密钥/)
  })

  it('tells a disk that does not obey from a kit that does not hold: it exits with 3', async () => {
    const { code, err } = await runCli('recover', 'new-identity', at('no-such-folder/officer'))
    assert.equal(code, 3)
    assert.match(err, /could not be carried out/)
  })

  it('never overwrites an identity', async () => {
    await writeFile(at('precious'), 'AGE')
    const { code, err } = await runCli('recover', 'new-identity', at('precious'))
    assert.equal(code, 2)
    assert.match(err, /exists already/)
    assert.equal(await readFile(at('precious'), 'utf8'), 'AGE')
  })

  it('never shows what is in an identity file, not even a broken one', async () => {
    await writeFile(at('broken'), 'AGE-SECRET-KEY-PQ-1BROKEN')
    await writeFile(at('kit-0'), makeKit(acme, shares[0]!, []))
    const { code, out, err } = await runCli('recover', 'verify', '--kit', at('kit-0'), '--identity', at('broken'))
    assert.equal(code, 2)
    assert.doesNotMatch(out + err, /BROKEN/)
  })

  it('exits with 1 and the reason where the kit is none, and with 2 where it is not understood', async () => {
    const identity = at('somebody')
    await runCli('recover', 'new-identity', identity)
    await writeFile(at('no-kit'), 'hello, this is no kit')
    const { code, err } = await runCli('recover', 'verify', '--kit', at('no-kit'), '--identity', identity)
    assert.equal(code, 1)
    assert.match(err, /not a recovery kit/)
    for (const call of [
      ['recover'],
      ['recover', 'sweep'],
      ['recover', 'verify'],
      ['recover', 'verify', '--kit', at('absent'), '--identity', identity],
      ['recover', 'new-identity'],
    ]) {
      assert.equal((await runCli(...call)).code, 2, call.join(' '))
    }
  })
})
