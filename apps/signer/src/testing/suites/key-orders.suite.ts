import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { intentHash } from '@holdfast/intent'
import type { PeerError } from '@holdfast/link'
import { recoverSecret } from '@holdfast/mpc'
import { openSigned, retiredStatementShape } from '@holdfast/protocol'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { applyPolicy, followKeyOrder, PARTIES, restart, resultOf, runSession } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { reshareRequest } from '../key-change-of.ts'
import { keyOrderOf, type KeyOrderOptions, openExported } from '../key-order-of.ts'
import { DAY_MS } from '../organisation-of.ts'
import { policyChangeOf } from '../policy-change-of.ts'
import { ann, ben, cleo, ORDER_MAX } from '../world-of.ts'
import type { AskedKeyOrder } from '../../checks/verify-key-order.ts'

/** Orders about a key that change no share, as three real signers follow them; and which mode they sign in. */
export function keyOrderSuite(get: () => Founded): void {
  const refused = (check: string, words: RegExp) => (cause: PeerError) => {
    assert.deepEqual([cause.kind, cause.check], ['refused', check], cause.message)
    assert.match(cause.message, words)
    return true
  }

  const follow = (office: Office, asked: AskedKeyOrder, party = 1) => followKeyOrder(office.calls, asked, party)

  describe('an export', () => {
    it('gives the shares to the recipients the order names and to no others; two of them rebuild the key', async (t) => {
      const office = await openOffice(t, get())
      const identities = [await generateX25519Identity(), await generateX25519Identity()]
      const recipients = await Promise.all(identities.map((each) => identityToRecipient(each)))
      const named = [1n, 3n].map((party, i) => ({ party, recipients: [recipients[i]!] }))
      const { order, asked } = await keyOrderOf(office, 'export', { changes: { recipients: named } })
      const given = [await follow(office, asked, 1), await follow(office, asked, 3)]
      await follow(office, asked, 1)
      await assert.rejects(follow(office, asked, 2), refused('c4', /names nobody/))
      const shares = [await openExported(office, given[0]!, 1, identities[0]!), await openExported(office, given[1]!, 3, identities[1]!)]
      assert.ok(recoverSecret(shares) > 0n)
      await assert.rejects(openExported(office, given[0]!, 1, identities[1]!))
      const told = journalOf(office, 1).register.exports
      assert.deepEqual([...told], [Buffer.from(intentHash(order)).toString('hex')])
      for (const party of [1, 2]) assert.ok(resultOf(await runSession(office.calls, await office.request()), party))
    })

    it('is followed with the quorum of those who govern, in the log, and never before the time in which it can be rejected is over', async (t) => {
      const office = await openOffice(t, get())
      const recipients = [1n, 2n, 3n].map((party) => ({ party, recipients: ['age1nobody'] }))
      const refuses = async (options: KeyOrderOptions, check: string, words: RegExp) => {
        const { asked } = await keyOrderOf(office, 'export', { ...options, changes: { recipients, ...options.changes } })
        await assert.rejects(follow(office, asked), refused(check, words))
      }
      const nowMs = BigInt(office.time.nowMs)
      await refuses({ approvers: [ben] }, 'c5', /1 approval\(s\) missing/)
      await refuses({ approvers: [ann, ben] }, 'c5', /1 approval\(s\) missing/)
      await refuses({ unlogged: true }, 'c11', /log entries/)
      await refuses({ changes: { usableFromMs: nowMs + 1000n } }, 'c6', /can still be rejected/)
      await refuses({ changes: { usableFromMs: nowMs + BigInt(2 * DAY_MS) } }, 'c4', /at no time/)
      await refuses({ changes: { epoch: 1n } }, 'c1', /for epoch 1/)
      await refuses({ changes: { recipients: recipients.slice(0, 1) } }, 'c4', /two signers or three/)
      await refuses({ changes: { recipients: [...recipients].reverse() } }, 'c4', /ascending/)
      await refuses({ changes: { action: 'publish' } }, 'c4', /unknown action/)
      const transfer = await office.request()
      const { asked } = await keyOrderOf(office, 'export', { changes: { recipients } })
      await assert.rejects(follow(office, { ...asked, intent: transfer.intent }), refused('c4', /not an order about a key/))
      assert.equal(journalOf(office, 1).register.exports.size, 0)
    })
  })

  describe('a key that is retired', () => {
    it('signs nothing any more, also after a new start; its first signatures are given again and its share is kept', async (t) => {
      const office = await openOffice(t, get())
      const first = await office.request({ salt: 40 })
      resultOf(await runSession(office.calls, first), 1)
      const { asked, order } = await keyOrderOf(office, 'retire')
      for (const party of PARTIES) {
        const said = openSigned(retiredStatementShape, await follow(office, asked, party), get().organisation.genesis.signers[party - 1]!.signKey)!
        assert.deepEqual([said.intentHash, said.party], [intentHash(order), BigInt(party)])
      }
      await follow(office, asked)
      await restart(office, 2)
      const next = await runSession(office.calls, await office.request({ parties: [1n, 2n], salt: 41 }))
      for (const party of [1, 2]) assert.ok(refused('c6', /is retired/)(next.get(party) as PeerError))
      const again = await runSession(office.calls, { ...first, nonce: new Uint8Array(32).fill(9) })
      for (const party of [1, 2]) assert.ok(resultOf(again, party))
      await office.calls.get(1)!.sealShare({ genesis: order.genesis, keyId: order.keyId, epoch: 0n })
    })

    it('gets no new shares: signers that begin anew, one after the other, would forget that it is retired', async (t) => {
      const office = await openOffice(t, get())
      const { asked } = await keyOrderOf(office, 'retire')
      for (const party of PARTIES) await follow(office, asked, party)
      for (const [action, dealers] of [
        ['refresh', [1n, 2n, 3n]],
        ['repair', [1n, 2n]],
      ] as const) {
        const outcomes = await runSession(office.calls, await reshareRequest(office, { action, dealers: [...dealers] }))
        for (const party of PARTIES) assert.ok(refused('c6', /is retired/)(outcomes.get(party) as PeerError))
      }
    })

    it('is retired by those who govern and by nobody else', async (t) => {
      const office = await openOffice(t, get())
      const { asked } = await keyOrderOf(office, 'retire', { approvers: [cleo] })
      await assert.rejects(follow(office, asked), refused('c5', /1 approval\(s\) missing/))
      const sealed = await keyOrderOf(office, 'retire', { changes: { recipients: [{ party: 1n, recipients: ['age1x'] }] } })
      await assert.rejects(follow(office, sealed.asked), refused('c4', /sealed to nobody/))
      assert.ok(resultOf(await runSession(office.calls, await office.request()), 1))
    })
  })

  describe('a signature above the smallest limit of the policy', () => {
    it('is made with base OTs of its own, by what each signer knows itself; a smaller one with those of the pair', async (t) => {
      const office = await openOffice(t, get())
      const { organisation } = get()
      const [coin, token] = organisation.policy.rules
      assert.ok(coin?.kind === 'transfer' && token)
      const rules = [{ ...coin, window: null }, { ...coin, id: 'large', maxAmount: null, window: null }, token]
      const { record, next } = policyChangeOf(organisation, organisation.policy, { rules }, [ben, cleo], { initiator: ann })
      await applyPolicy(office.calls, organisation.fingerprint, record)
      get().organisation.policy = next
      t.after(() => void (get().organisation.policy = organisation.genesis.policy))
      const roundsOf = async (amount: bigint, salt: number) => {
        let rounds = 0
        const request = await office.request({ amount, salt })
        const outcomes = await runSession(office.calls, request, { deliver: (envelopes, _, round) => ((rounds = round), envelopes) })
        for (const party of [1, 2]) assert.ok(resultOf(outcomes, party))
        return rounds
      }
      assert.equal(await roundsOf(ORDER_MAX, 50), 3)
      assert.equal(await roundsOf(ORDER_MAX + 1n, 51), 6)
    })
  })
}
