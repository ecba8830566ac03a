import { decode, encode } from '@holdfast/encoding'
import { approvalShape, intentShape, type KeyOrderIntent } from '@holdfast/intent'
import { keyShareShape, type KeyShare } from '@holdfast/mpc'
import { type Policy, policyHash } from '@holdfast/policy'
import { openSigned, sealedShareShape, sharePackageShape, type Signed } from '@holdfast/protocol'
import { Decrypter } from 'age-encryption'
import type { AskedKeyOrder } from '../checks/verify-key-order.ts'
import { cosignAll } from './cluster.ts'
import type { Office } from './founded-cluster.ts'
import { DAY_MS } from './organisation-of.ts'
import { approve, type Member } from './people.ts'
import { ann, ben, cleo } from './world-of.ts'

export type KeyOrderOptions = { approvers?: Member[]; changes?: Partial<KeyOrderIntent>; unlogged?: boolean; policy?: Policy }

/** What a server asks of each signer, for an order about a key as an honest one makes it. */
export async function keyOrderOf(
  office: Office,
  action: 'export' | 'retire',
  { approvers = [ben, cleo], changes = {}, unlogged = false, policy = office.founded.organisation.policy }: KeyOrderOptions = {},
): Promise<{ order: KeyOrderIntent; asked: AskedKeyOrder }> {
  const { organisation, key } = office.founded
  const nowMs = BigInt(office.time.nowMs)
  const order: KeyOrderIntent = {
    kind: 'keyOrder',
    genesis: organisation.fingerprint,
    orderId: new Uint8Array(16).fill(5),
    action,
    keyId: key.keyId,
    wallet: 'Main wallet',
    epoch: 0n,
    recipients: [],
    remark: '',
    notBeforeMs: nowMs - 1000n,
    usableFromMs: nowMs - 1000n,
    expiresAtMs: nowMs + BigInt(DAY_MS),
    policyVersion: policy.version,
    policyHash: policyHash(policy),
    initiator: ann.person.id,
    nonce: new Uint8Array(32).fill(6),
    ...changes,
  }
  const intent = encode(intentShape, order)
  const approvals = approvers.map((member) => encode(approvalShape, approve(member, order, policy)))
  const indexes = [office.log.append('intent', intent), ...(unlogged ? [] : approvals.map((each) => office.log.append('approval', each)))]
  await cosignAll(office, office.log)
  const logged = indexes.map((index) => office.log.logged(index))
  return { order, asked: { genesis: organisation.fingerprint, intent, approvals, checkpoint: office.log.note(), logged } }
}

/** The share that a signer sealed for an export, opened by the age identity it was sealed to. Throws where that does not open it. */
export async function openExported(office: Office, signed: Signed, party: number, identity: string): Promise<KeyShare> {
  const sealed = openSigned(sealedShareShape, signed, office.founded.organisation.genesis.signers[party - 1]!.signKey)!
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  return decode(keyShareShape, decode(sharePackageShape, await decrypter.decrypt(sealed.sealed)).share)
}
