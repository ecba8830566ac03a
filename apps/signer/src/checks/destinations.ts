import { type ChainCodec, ChainError, faultOfOwnPath } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { DerivationError, derivePublicKey, signatureKindOf } from '@holdfast/mpc'
import { type DestinationFacts, listedAt, type OwnPlace, type PaidTo } from '@holdfast/policy'
import type { SignRequest } from '@holdfast/protocol'
import { type Register, slotKeyOf } from '../state/register.ts'
import type { SignerView } from './verify.ts'

// What a signer knows of the addresses that an order pays. Of what the request says it believes what it can compute: an address that its own key leads to, and
// a payment that carries the signatures of that key.

type Known = Pick<SignerView, 'register' | 'codecFor'>

/** What this signer knows of a destination at a time, by its own whitelist and by what the request proves. What nobody proves is not known. */
export function factsOf(request: Pick<SignRequest, 'own' | 'paid'>, { register, codecFor }: Known): (to: PaidTo, nowMs: number) => DestinationFacts {
  return (to, nowMs) => {
    const codec = codecFor(to.chain)
    const listed = listedAt(register.book, to, nowMs)
    const isOwn = codec !== undefined && request.own.some((each) => each.address === to.address && leadsTo(each, register, codec))
    const isPaidBefore = codec !== undefined && request.paid.some((each) => each.address === to.address && provesPayment(each, to, register, codec))
    const isListed = listed.state === 'listed'
    return { isOwn: isOwn || undefined, isListed, lists: isListed ? listed.lists : [], isPaidBefore: isPaidBefore || undefined }
  }
}

/** Whether the organisation alone signs with a key, by its signers: one that was exported signs elsewhere too. */
function isInUse({ keyId }: OwnPlace, { outOfUse, exportedKeys }: Register): boolean {
  const name = toHex(keyId)
  return !outOfUse.has(name) && !exportedKeys.has(name)
}

const leadsTo = ({ address, ...place }: SignRequest['own'][number], register: Register, codec: ChainCodec): boolean =>
  ownAddressAt(place, register, codec) === address

/** The address that a key in use has at a path at which addresses are given out: what is paid elsewhere nobody would find. Undefined if there is none. */
export const ownAddressAt = (place: OwnPlace, register: Register, codec: ChainCodec): string | undefined =>
  isInUse(place, register) && faultOfOwnPath([...place.path]) === undefined ? addressAt(place, register, codec) : undefined

/** The address that a key of the organisation has at a path; undefined if this signer holds no such key, or it makes no addresses of the chain. */
function addressAt({ keyId, path }: OwnPlace, register: Register, codec: ChainCodec): string | undefined {
  const key = register.keys.get(toHex(keyId))
  if (!key || !codec.signatureKinds.includes(signatureKindOf(key.protocol))) return undefined
  try {
    return codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, path.map(Number)))
  } catch (cause) {
    if (cause instanceof DerivationError) return undefined
    throw cause
  }
}

/**
 * Whether these bytes pay the destination and carry the signatures of an address of the organisation: its signers made them for an order that people approved.
 */
function provesPayment({ raw, ...place }: SignRequest['paid'][number], to: PaidTo, register: Register, codec: ChainCodec): boolean {
  try {
    const { unsigned, from } = codec.detach(raw)
    const { chain, slot, transfers } = codec.decode(unsigned)
    const pays = chain === to.chain && transfers.some((each) => each.to === to.address && (each.memo ?? '') === (to.memo ?? '') && each.amount > 0n)
    if (!pays || !isInUse(place, register) || from !== addressAt(place, register, codec)) return false
    // People may have cancelled it because of whom it paid.
    const holder = register.slots.get(slotKeyOf({ chain, from, slot }))
    return holder === undefined || !register.bindings.get(holder)?.cancelled
  } catch (cause) {
    if (cause instanceof ChainError) return false
    throw cause
  }
}
