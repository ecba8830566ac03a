import { decode, encode } from '@holdfast/encoding'
import { FROST_ED25519, type KeyShare } from '@holdfast/mpc'
import { type RecoveryKit, recoveryKitShape, type SealedShare, sealedShareShape, type Signed, signMessage } from '@holdfast/protocol'
import { recipientFingerprint } from '@holdfast/policy'
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { seededRandom } from '../../../../packages/mpc/src/testing/run-parties.ts'
import type { Examined, ShareFault } from './examine-share.ts'
import { KitRefused, kitsIn } from './open-kit.ts'
import type { OfficerPart } from './open-share.ts'
import type { Identity } from './recovery-identity.ts'
import { generateKey, refreshKey } from '../testing/generate-key.ts'
import { makeKit, newOfficer, sealShare } from '../testing/make-kit.ts'
import { foundOrganisation, type Organisation, seed } from '../testing/test-organisation.ts'
import { type KitReport, verifyKit } from './verify-kit.ts'

// Every part of a kit is damaged in every way there is a name for, each at random places: HOLDFAST_KIT_DAMAGES rounds of all of them.
const ROUNDS = Number(process.env.HOLDFAST_KIT_DAMAGES ?? 1)
const PARTIES = [0, 1, 2]
const NEEDS = 2

type Quorum = Extract<SealedShare, { kind: 'quorum' }>
type Expected = { fault?: ShareFault | ShareFault[]; officer?: { at: number; state: OfficerPart['state'] } }
/** A way to damage the share of one signer, told by `draw`. `third`: it takes a third share to say which of two is the odd one. */
type Damage = { name: string; of: (party: number) => Promise<Signed[]> | Signed[]; expected: Expected; third?: true }

const acme = foundOrganisation('Acme Treasury', [['a'], ['b'], ['c']])
const other = foundOrganisation('Other', [['a'], ['b'], ['c']])
const officers: Identity[][] = []
/**
 * All officers of the signer whose share is damaged; of the others, in the first round only as many as rebuild the key with it where it can still be
 * used.
 */
const given = (party: number, round: number) => officers.flatMap((group, i) => (i === party || round > 0 ? group : i === next(party) ? group.slice(1) : []))

type Sealed = { organisation: Organisation; shares: KeyShare[]; signed: Signed[] }
let kit: Sealed
let nextEpoch: Sealed
let otherKey: Sealed
let otherOrganisation: Sealed
let again: Sealed

const sealAll = async (organisation: Organisation, shares: KeyShare[]): Promise<Sealed> => ({
  organisation,
  shares,
  signed: await Promise.all(shares.map((share, i) => seal(organisation, share, i))),
})
const seal = (organisation: Organisation, share: KeyShare, party: number, change?: (sealed: SealedShare) => SealedShare) =>
  sealShare(
    organisation,
    share,
    officers[party]!.map(({ recipient }) => recipient),
    change,
    NEEDS,
  )

before(async () => {
  for (const party of PARTIES) officers.push(await Promise.all([0, 1, 2].map((i) => newOfficer(`officer-${party}-${i}`))))
  const shares = generateKey(acme, 'key')
  kit = await sealAll(acme, shares)
  again = await sealAll(acme, shares)
  nextEpoch = await sealAll(acme, refreshKey(shares, 'refresh'))
  otherKey = await sealAll({ ...acme, keyId: seed('other key') }, generateKey({ ...acme, keyId: seed('other key') }, 'other key'))
  otherOrganisation = await sealAll(other, generateKey(other, 'other organisation'))
})

const draw = seededRandom('damages')
const under = (count: number) => ((draw(4)[0]! << 16) | (draw(4)[1]! << 8) | draw(4)[2]!) % count

function flip(bytes: Uint8Array): Uint8Array {
  const out = bytes.slice()
  out[under(out.length)]! ^= 1 + under(255)
  return out
}

const openedOf = (signed: Signed) => decode(sealedShareShape, signed.message) as Quorum
/** The kit's shares with one replaced. */
const withShare = (party: number, signed: Signed) => kit.signed.map((each, i) => (i === party ? signed : each))
/** A share changed by whoever carried it: its signer's signature stays as it was. */
const carried = (party: number, change: (sealed: Quorum) => SealedShare) =>
  withShare(party, { ...kit.signed[party]!, message: encode(sealedShareShape, change(openedOf(kit.signed[party]!))) })
/** A share that its own signer sealed or signed wrongly. */
const signedAnew = (party: number, change: (sealed: Quorum) => SealedShare) =>
  withShare(party, signMessage(sealedShareShape, change(openedOf(kit.signed[party]!)), BigInt(party + 1), acme.signerSecrets[party]!))
const sealedAnew = async (party: number, change: (share: KeyShare) => Partial<KeyShare>) => {
  const share = kit.shares[party]!
  return withShare(party, await seal(acme, { ...share, ...change(share) }, party, (sealed) => ({ ...sealed, ...placeOf(kit.signed[party]!) })))
}
const placeOf = (signed: Signed) => {
  const { genesis, keyId, epoch, party } = openedOf(signed)
  return { genesis, keyId, epoch, party }
}
const officersWith = (sealed: Quorum, at: number, part: Uint8Array): Quorum => ({
  ...sealed,
  officers: sealed.officers.map((officer, i) => (i === at ? { ...officer, sealed: part } : officer)),
})
const partOf = (from: Sealed, party: number, at: number) => openedOf(from.signed[party]!).officers[at]!.sealed
const next = (party: number) => (party + 1) % 3

const unsigned: Expected = { fault: ['unsigned', 'unreadable'] }
const DAMAGES: Damage[] = [
  { name: 'missing', of: (p) => kit.signed.filter((_, i) => i !== p), expected: { fault: 'missing' } },
  { name: 'there twice', of: (p) => [...kit.signed.filter((_, i) => i !== next(p)), kit.signed[p]!], expected: { fault: 'twice' } },
  // On the way.
  { name: 'a byte of the signature', of: (p) => withShare(p, { ...kit.signed[p]!, signature: flip(kit.signed[p]!.signature) }), expected: unsigned },
  { name: 'any byte of the message', of: (p) => withShare(p, { ...kit.signed[p]!, message: flip(kit.signed[p]!.message) }), expected: unsigned },
  { name: 'the number of its signer', of: (p) => withShare(p, { ...kit.signed[p]!, party: 9n }), expected: { fault: 'missing' } },
  { name: 'its organisation', of: (p) => carried(p, (each) => ({ ...each, genesis: flip(each.genesis) })), expected: unsigned },
  { name: 'its key', of: (p) => carried(p, (each) => ({ ...each, keyId: flip(each.keyId) })), expected: unsigned },
  { name: 'its epoch', of: (p) => carried(p, (each) => ({ ...each, epoch: 1n })), expected: unsigned },
  { name: 'its threshold', of: (p) => carried(p, (each) => ({ ...each, threshold: 1n })), expected: unsigned },
  { name: 'its sealed body', of: (p) => carried(p, (each) => ({ ...each, sealed: flip(each.sealed) })), expected: unsigned },
  ...[0, 1, 2].map(
    (at): Damage => ({
      name: `the part of officer ${at}, on the way`,
      of: (p) => carried(p, (each) => officersWith(each, at, flip(each.officers[at]!.sealed))),
      expected: { ...unsigned, officer: { at, state: 'damaged' } },
    }),
  ),
  { name: 'all its bytes, for another kind', of: (p) => withShare(p, { ...kit.signed[p]!, message: encode(recoveryKitShape, bareKit()) }), expected: unsigned },
  // Swapped.
  { name: 'the share of another signer', of: (p) => withShare(p, kit.signed[next(p)]!).filter((_, i) => i !== next(p)), expected: { fault: 'missing' } },
  {
    name: 'the share of another signer under its number',
    of: (p) => withShare(p, { ...kit.signed[next(p)]!, party: BigInt(p + 1) }),
    expected: { fault: 'unsigned' },
  },
  { name: 'the share of the next epoch', of: (p) => withShare(p, nextEpoch.signed[p]!), expected: { fault: 'wrong-epoch' } },
  { name: 'the share of another key', of: (p) => withShare(p, otherKey.signed[p]!), expected: { fault: 'other-key' } },
  { name: 'the share of another organisation', of: (p) => withShare(p, otherOrganisation.signed[p]!), expected: { fault: 'unsigned' } },
  // By its own signer.
  {
    name: 'the next epoch under the present number',
    of: async (p) => withShare(p, await seal(acme, nextEpoch.shares[p]!, p, (each) => ({ ...each, epoch: 0n }))),
    expected: { fault: ['wrong-epoch', 'undecipherable'] },
  },
  { name: 'the share inside says another epoch', of: (p) => sealedAnew(p, () => ({ epoch: 7n })), expected: { fault: ['wrong-epoch', 'undecipherable'] } },
  {
    name: 'a new share under the old epoch',
    of: (p) => sealedAnew(p, () => ({ ...nextEpoch.shares[p]!, epoch: 0n })),
    expected: { fault: 'other-public-data' },
    third: true,
  },
  { name: 'the secret', of: (p) => sealedAnew(p, ({ secretShare }) => ({ secretShare: flip(secretShare) })), expected: { fault: 'unfit' } },
  { name: "another signer's secret", of: (p) => sealedAnew(p, () => ({ secretShare: kit.shares[next(p)]!.secretShare })), expected: { fault: 'unfit' } },
  { name: 'a commitment', of: (p) => sealedAnew(p, ({ commitments: [a, b] }) => ({ commitments: [a!, flip(b!)] })), expected: { fault: 'unfit' } },
  {
    name: 'a verifying share',
    of: (p) => sealedAnew(p, ({ verifyingShares: [a, b, c] }) => ({ verifyingShares: [a!, flip(b!), c!] })),
    expected: { fault: 'unfit' },
  },
  { name: 'the public key', of: (p) => sealedAnew(p, ({ publicKey }) => ({ publicKey: flip(publicKey) })), expected: { fault: 'unfit' } },
  { name: 'the chain code', of: (p) => sealedAnew(p, ({ chainCode }) => ({ chainCode: flip(chainCode) })), expected: { fault: 'other-public-data' } },
  { name: 'the protocol', of: (p) => sealedAnew(p, () => ({ protocol: FROST_ED25519 })), expected: { fault: 'unfit' } },
  { name: 'the parties', of: (p) => sealedAnew(p, () => ({ parties: [1n, 2n, 4n] })), expected: { fault: 'unfit' } },
  { name: 'the body, signed', of: (p) => signedAnew(p, (each) => ({ ...each, sealed: flip(each.sealed) })), expected: { fault: 'undecipherable' } },
  {
    name: 'the body of an earlier sealing',
    of: (p) => signedAnew(p, (each) => ({ ...each, sealed: openedOf(again.signed[p]!).sealed })),
    expected: { fault: 'undecipherable', officer: { at: 0, state: 'other-kit' } },
  },
  ...[0, 1, 2].flatMap((at): Damage[] => [
    {
      name: `the part of officer ${at}`,
      of: (p) => signedAnew(p, (each) => officersWith(each, at, flip(each.officers[at]!.sealed))),
      expected: { officer: { at, state: 'damaged' } },
    },
    {
      name: `the part of officer ${at} is of the next epoch`,
      of: (p) => signedAnew(p, (each) => officersWith(each, at, partOf(nextEpoch, p, at))),
      expected: { officer: { at, state: 'other-kit' } },
    },
    {
      name: `the part of officer ${at} is of another key`,
      of: (p) => signedAnew(p, (each) => officersWith(each, at, partOf(otherKey, p, at))),
      expected: { officer: { at, state: 'other-kit' } },
    },
    {
      name: `the part of officer ${at} is of another sealing`,
      of: (p) => signedAnew(p, (each) => officersWith(each, at, partOf(again, p, at))),
      expected: { officer: { at, state: 'other-kit' } },
    },
    {
      name: `the part of officer ${at} is that of another officer`,
      of: (p) => signedAnew(p, (each) => officersWith(each, at, each.officers[(at + 1) % 3]!.sealed)),
      expected: { officer: { at, state: 'damaged' } },
    },
  ]),
]

const bareKit = (): RecoveryKit => decode(recoveryKitShape, makeKit(acme, kit.shares[0]!, [], {}, 2))
const kitOf = (signed: Signed[]) => makeKit(acme, kit.shares[0]!, signed, {}, 2)

function assertNamed(report: KitReport, party: number, { fault, officer }: Expected, name: string): void {
  const examined: Examined = report.shares[party]!
  if (fault !== undefined) assert.ok(examined.state === 'faulty' && [fault].flat().includes(examined.fault), `${name}: ${JSON.stringify(stateOf(examined))}`)
  else assert.equal(examined.state, 'good', `${name}: the officers whose parts are whole still open the share`)
  if (officer) {
    const fingerprint = recipientFingerprint(officers[party]![officer.at]!.recipient)
    const found = examined.officers.filter(({ state }) => state === officer.state).map((each) => each.fingerprint)
    assert.ok(found.includes(fingerprint), `${name}: the officer is named`)
  }
  assert.equal(report.drill, null, `${name}: a damaged kit proves nothing`)
}

const stateOf = (examined: Examined) => (examined.state === 'faulty' ? [examined.fault, examined.detail] : [examined.state])

describe('a kit with one part damaged', () => {
  it('is sound before', async () => {
    const report = await verifyKit({ kit: kitsIn(kitOf(kit.signed))[0]!, identities: given(0, 1), nowMs: 6_000_000, addresses: 1 })
    assert.ok(report.drill)
    assert.deepEqual(report.shares.map(stateOf), [['good'], ['good'], ['good']])
  })

  it('names that part, rebuilds the same key from the others or none, and never fails in another way', async () => {
    let named = 0
    for (let round = 0; round < ROUNDS; round++) {
      for (const [i, { name, of, expected, third }] of DAMAGES.entries()) {
        const party = (round + i) % 3
        const report = await verifyKit({ kit: kitsIn(kitOf(await of(party)))[0]!, identities: given(party, third ? 1 : round), nowMs: 6_000_000, addresses: 1 })
        assertNamed(report, party, expected, name)
        if (round > 0)
          assert.ok(report.rebuiltBy.length >= 2 || name === 'there twice' || name === 'the share of another signer', `${name}: two shares are left`)
        named++
      }
    }
    console.log(`${named} damages of ${DAMAGES.length} kinds, ${named} named`)
  })

  it('with two shares that differ and no third refuses to rebuild, and names both', async () => {
    const odd = await sealedAnew(1, () => ({ ...nextEpoch.shares[1]!, epoch: 0n }))
    const identities = [...officers[0]!, ...officers[1]!]
    await assert.rejects(verifyKit({ kit: kitsIn(kitOf(odd))[0]!, identities, nowMs: 6_000_000 }), {
      step: 'rebuild',
      message: /share of party 2: .* differs from that of party 1/,
    })
  })

  it('outside its shares is refused as a whole, or is another kit', async () => {
    const whole = kitOf(kit.signed)
    for (let round = 0; round < 10 * ROUNDS; round++) {
      const verify = async () => verifyKit({ kit: kitsIn(flip(whole))[0]!, identities: [officers[0]![0]!], nowMs: 6_000_000, addresses: 1 })
      const report = await verify().catch((error: unknown) => error)
      assert.ok(report instanceof KitRefused || (report as KitReport).drill === null, String(report))
    }
  })
})
