import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encode, fromHex } from '@holdfast/encoding'
import { intentHash, intentShape, type TransferIntent } from '@holdfast/intent'
import { policyHash } from '@holdfast/policy'
import { openSigned, orderStatementShape } from '@holdfast/protocol'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { draftOf, OTHER_ADDRESS } from '../order-of.ts'
import { DAY_MS, NOW_MS, TOKEN } from '../organisation-of.ts'
import { ann, cleo } from '../world-of.ts'

const CHALLENGE = fromHex('5a'.repeat(32))

/** What a signer says of an order on somebody else's page. `get` gives the founded organisation, which exists once the tests run. */
export function attestOrderSuite(get: () => Founded): void {
  const intentOf = (changes: Partial<TransferIntent> = {}): TransferIntent => {
    const { organisation, key } = get()
    return { ...draftOf({ fingerprint: organisation.fingerprint, policy: organisation.policy, key, initiator: ann }).intent, ...changes }
  }
  const asked = (intent: Uint8Array, genesis = get().organisation.fingerprint) => ({ genesis, intent, challenge: CHALLENGE })
  const opinionOf = async (office: Office, intent: TransferIntent, party = 2) => {
    const signed = await office.calls.get(party)!.attestOrder(asked(encode(intentShape, intent)))
    return openSigned(orderStatementShape, signed, get().organisation.genesis.signers[party - 1]!.signKey)!
  }

  describe('an order read by a second signer', () => {
    it('is confirmed under its own key, for the asker and for this order and policy alone, and leaves no trace', async (t) => {
      const office = await openOffice(t, get())
      const { position } = journalOf(office, 2)
      const intent = intentOf()
      const statement = await opinionOf(office, intent)
      const { fingerprint, policy } = get().organisation
      assert.deepEqual(statement, {
        genesis: fingerprint,
        party: 2n,
        intentHash: intentHash(intent),
        policyHash: policyHash(policy),
        objection: '',
        challenge: CHALLENGE,
        atMs: BigInt(NOW_MS),
      })
      assert.equal(journalOf(office, 2).position, position)
    })

    it('meets an objection wherever this signer would not sign it', async (t) => {
      const office = await openOffice(t, get())
      const objections: [Partial<TransferIntent>, RegExp][] = [
        [{ policyVersion: 2n }, /made under policy version 2; version 1 is in force/],
        [{ policyHash: new Uint8Array(32) }, /names another policy/],
        [{ notBeforeMs: BigInt(NOW_MS + DAY_MS), expiresAtMs: BigInt(NOW_MS + 2 * DAY_MS) }, /not open yet/],
        [{ expiresAtMs: BigInt(NOW_MS - 1) }, /has expired/],
        [{ asset: { ...TOKEN, decimals: 2n } }, /describes an asset as the policy does not/],
        [{ asset: { ...TOKEN, contract: OTHER_ADDRESS } }, /describes an asset as the policy does not/],
        [{ amount: 1n << 250n }, /the policy denies the order: no-rule/],
        [{ initiator: new Uint8Array(16) }, /the policy denies the order: initiator-not-allowed/],
      ]
      for (const [changes, reason] of objections) assert.match((await opinionOf(office, intentOf(changes))).objection, reason)
      const vetoed = intentOf({ remark: 'somebody said no' })
      await journalOf(office, 2).write([{ kind: 'vetoed', intentHash: intentHash(vetoed), person: cleo.person.id }])
      assert.match((await opinionOf(office, vetoed)).objection, /rejected at a signer's approval page/)
      assert.equal((await opinionOf(office, vetoed, 3)).objection, '', 'each signer speaks for itself')
    })

    it('is answered with a fault where it cannot be read, or is of another organisation, and refused where that is not pinned here', async (t) => {
      const office = await openOffice(t, get())
      const calls = office.calls.get(2)!
      await assert.rejects(calls.attestOrder(asked(Uint8Array.of(1, 2))), { kind: 'fault', message: /cannot be read/ })
      const stranger = new Uint8Array(32)
      await assert.rejects(opinionOf(office, intentOf({ genesis: stranger })), { kind: 'fault', message: /of another organisation/ })
      const elsewhere = asked(encode(intentShape, intentOf({ genesis: stranger })), stranger)
      await assert.rejects(calls.attestOrder(elsewhere), { kind: 'refused', check: 'c2', message: /has not pinned/ })
    })
  })
}
