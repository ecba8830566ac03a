import { buildTransfer, codecFor } from '@holdfast/chain-evm/codec'
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { approvalsOf, draftOf, OTHER_ADDRESS, requestOf } from '../testing/order-of.ts'
import { COIN, NOW_MS } from '../testing/organisation-of.ts'
import { ann, ben, checkOf, cleo, key, organisationWith, registerOf } from '../testing/world-of.ts'
import { verifySignRequest } from './verify.ts'

/** What a signer says of an order to pay an address that people approved. */
function verdictOf(to: string): string {
  const acme = organisationWith({})
  const { policy, fingerprint } = acme
  const draft = draftOf({ fingerprint, policy, key, initiator: ann, asset: COIN, amount: 1n })
  const paid = { intent: { ...draft.intent, to }, transaction: { ...draft.transaction, to } }
  const { request, log } = requestOf({ key, draft: paid, approvals: approvalsOf(paid, policy, [ben, cleo]), unsigned: buildTransfer(paid.transaction) })
  return checkOf(() => verifySignRequest(request, { party: 1, register: registerOf(acme, log), nowMs: NOW_MS, codecFor }))
}

it('a signer pays nobody at an address that nobody can spend from, whoever approved it', () => {
  assert.equal(verdictOf(OTHER_ADDRESS), 'signed')
  for (const dead of [`0x${'0'.repeat(40)}`, `0x${'0'.repeat(39)}1`, '0x000000000000000000000000000000000000dEaD']) assert.equal(verdictOf(dead), 'c5', dead)
})
