import assert from 'node:assert/strict'
import { encode, toHex } from '@holdfast/encoding'
import { freezeHash, freezeShape, type FreezeStatement } from '@holdfast/intent'
import type { PeerError } from '@holdfast/link'
import type { SignRequest } from '@holdfast/protocol'
import { createApprovalApi } from '../page/approval-api.ts'
import { resultOf, runSession } from './cluster.ts'
import type { Founded, Office } from './founded-cluster.ts'
import { NOW_MS } from './organisation-of.ts'
import { assertWith, type Member } from './people.ts'

export type Asked = { kind: 'sign' } & SignRequest

/** What suites about what signers know do again and again, with the organisation that they share. */
export function actsOf(get: () => Founded) {
  const refused =
    (check: string, words = /./) =>
    (cause: PeerError) => {
      assert.deepEqual([cause.kind, cause.check], ['refused', check], cause.message)
      assert.match(cause.message, words)
      return true
    }
  const signs = async (office: Office, request: Asked) => {
    const outcomes = await runSession(office.calls, request)
    for (const party of request.parties) resultOf(outcomes, Number(party))
    return outcomes
  }
  /** No signature comes of a request, and one of the signers says why. */
  const refuses = async (office: Office, request: Asked, check: string, words = /./) => {
    const outcomes = [...(await runSession(office.calls, request)).values()]
    assert.ok(
      outcomes.every((each) => each instanceof Error),
      'no signer gives a result',
    )
    assert.ok(
      outcomes.some((each) => (each as PeerError).check === check && words.test((each as PeerError).message)),
      outcomes.map(String).join('\n'),
    )
  }
  const pageOf = (office: Office, party: number, intent: Uint8Array, status = 200) =>
    createApprovalApi(office.signers.get(party)!, async (method) => ({
      status: method === 'order.get' ? 200 : status,
      body: method === 'order.get' ? { intent: toHex(intent), approvals: [], state: 'approving' } : { state: 'approving', missing: 0 },
    }))
  const freezeOf = (member: Member, reason = 'a key was stolen', nonce = 1, atMs = NOW_MS) => {
    const statement: FreezeStatement = {
      genesis: get().organisation.fingerprint,
      person: member.person.id,
      atMs: BigInt(atMs),
      nonce: new Uint8Array(32).fill(nonce),
      reason,
    }
    return { statement, encoded: encode(freezeShape, { statement, assertion: assertWith(member.keys[0], freezeHash(statement)) }) }
  }
  const genesis = () => get().organisation.fingerprint
  return { refused, signs, refuses, pageOf, freezeOf, genesis }
}
