import { decode, equalBytes, fromHex } from '@holdfast/encoding'
import { type SignerIdentity, signersOf } from '@holdfast/policy'
import { signedShape } from '@holdfast/protocol/session'
import { openSigned, orderStatementShape } from '@holdfast/protocol/statements'
import type { Order } from './read-order.ts'
import type { WitnessReply } from './signer-api.ts'

/** One of the other signers: whether it would sign this very order, would not and why, or was not heard. */
export type Witness = { name: string; operator: string; opinion: 'agrees' | 'silent' | { objection: string } }

/**
 * What the other signers say of an order. Each must speak under the key that the policy, or the organisation's founding document, gives it, of
 * this order, this policy and this challenge; anything else counts as silence, for it did not come from that signer.
 */
export function readWitnesses(reply: WitnessReply, order: Order, challenge: Uint8Array): Witness[] {
  return signersOf(order.genesis, order.policy)
    .filter((signer) => signer.party !== BigInt(reply.party))
    .map((signer) => {
      const said = reply.statements.find((each) => BigInt(each.party) === signer.party)?.statement ?? null
      return { name: signer.name, operator: signer.operator, opinion: said === null ? 'silent' : opinionOf(said, signer, order, challenge) }
    })
}

function opinionOf(hex: string, signer: SignerIdentity, { intent, hash }: Order, challenge: Uint8Array): Witness['opinion'] {
  try {
    const statement = openSigned(orderStatementShape, decode(signedShape, fromHex(hex)), signer.signKey)
    const isOurs = statement?.party === signer.party && equalBytes(statement.genesis, intent.genesis) && equalBytes(statement.challenge, challenge)
    if (!isOurs || !equalBytes(statement.intentHash, hash)) return 'silent'
    if (statement.objection !== '') return { objection: statement.objection }
    return equalBytes(statement.policyHash, intent.policyHash) ? 'agrees' : { objection: 'it holds another policy' }
  } catch {
    return 'silent'
  }
}

/** Whether an approval may be given: another signer agrees, and none objects. */
export function isConfirmed(witnesses: readonly Witness[]): boolean {
  return witnesses.some(({ opinion }) => opinion === 'agrees') && !witnesses.some(({ opinion }) => typeof opinion === 'object')
}
