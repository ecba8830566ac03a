import { decode, equalBytes, toHex } from '@holdfast/encoding'
import { childSecret, derivePublicKey, keyShareShape, PROTOCOL, recoverSecret } from '@holdfast/mpc'
import { combineParts, openSigned, recoveryPartShape, sealedShareShape, sharePackageShape, type Signed } from '@holdfast/protocol'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { Decrypter, generateHybridIdentity, identityToRecipient } from 'age-encryption'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Founded, type Office, openOffice } from '../founded-cluster.ts'

/** What a signer puts into a recovery kit. `get` gives the founded organisation, which exists once the tests run. */
export function sealedShareSuite(get: () => Founded): void {
  const callsOf = (office: Office, party = 1) => office.calls.get(party)!
  const signKeyOf = (party: number) => get().organisation.genesis.signers[party - 1]!.signKey

  describe('a sealed share', () => {
    const open = async (signed: Signed, party: number) => {
      const sealed = openSigned(sealedShareShape, signed, signKeyOf(party))!
      const decrypter = new Decrypter()
      decrypter.addIdentity(get().identities[party - 1]!)
      return decode(sharePackageShape, await decrypter.decrypt(sealed.sealed))
    }

    it('opens for the recipients of that signer alone, and any two rebuild the key', async (t) => {
      const office = await openOffice(t, get())
      const asked = { genesis: get().organisation.fingerprint, keyId: get().key.keyId, epoch: 0n }
      const packages = await Promise.all([1, 2, 3].map(async (party) => open(await callsOf(office, party).sealShare(asked), party)))
      const shares = packages.map(({ share }) => decode(keyShareShape, share))
      for (const [a, b] of [
        [0, 1],
        [0, 2],
        [1, 2],
      ] as const) {
        const secret = childSecret(PROTOCOL, recoverSecret([shares[a]!, shares[b]!]), get().key.chainCode, [0, 7])
        const publicKey = secp256k1.getPublicKey(Buffer.from(secret.toString(16).padStart(64, '0'), 'hex'))
        assert.ok(equalBytes(publicKey, derivePublicKey(get().key.protocol, get().key.publicKey, get().key.chainCode, [0, 7])))
      }
      assert.deepEqual(
        packages.map(({ party, signKey }) => [party, toHex(signKey)]),
        [1, 2, 3].map((party) => [BigInt(party), toHex(signKeyOf(party))]),
      )
      await assert.rejects(open(await callsOf(office, 1).sealShare(asked), 2))
    })

    it('opens for as many officers together as the policy asks for, and for none of them alone', async (t) => {
      const office = await openOffice(t, get())
      const officers = await Promise.all([1, 2, 3].map(() => generateHybridIdentity()))
      const recipients = await Promise.all(officers.map((identity) => identityToRecipient(identity)))
      const [organisation] = [...office.signers.get(1)!.organisations.values()]
      organisation!.policy.recovery[0] = { kind: 'quorum', party: 1n, threshold: 2n, recipients }
      const asked = { genesis: get().organisation.fingerprint, keyId: get().key.keyId, epoch: 0n }
      const sealed = openSigned(sealedShareShape, await callsOf(office, 1).sealShare(asked), signKeyOf(1))!
      assert.ok(sealed.kind === 'quorum' && sealed.threshold === 2n)
      const openAs = async (identity: string, file: Uint8Array): Promise<Uint8Array> => {
        const decrypter = new Decrypter()
        decrypter.addIdentity(identity)
        return decrypter.decrypt(file)
      }
      const parts = await Promise.all(sealed.officers.map(async (officer, i) => decode(recoveryPartShape, await openAs(officers[i]!, officer.sealed))))
      for (const identity of officers) await assert.rejects(openAs(identity, sealed.sealed))
      const points = parts.map(({ x, y }) => ({ x: Number(x), y }))
      for (const pair of [
        [0, 1],
        [0, 2],
        [1, 2],
      ]) {
        const identity = new TextDecoder().decode(combineParts(pair.map((i) => points[i]!)))
        const plain = await openAs(identity, sealed.sealed)
        assert.equal(decode(keyShareShape, decode(sharePackageShape, plain).share).party, 1n)
      }
    })
  })
}
