import { type Effects, POSTAGE_MAX } from '@holdfast/chain-core'
import { equalBytes, toHex } from '@holdfast/encoding'
import { originalOf, type SpendingIntent } from '@holdfast/intent'
import {
  carriedIn,
  faultUnderStanding,
  findPerson,
  type KeptOrder,
  listedAt,
  type Needs,
  needsOfStanding,
  type OwnPlace,
  type StandingFacts,
} from '@holdfast/policy'
import type { SignRequest } from '@holdfast/protocol'
import type { Register } from '../../state/register.ts'
import { ownAddressAt } from '../destinations.ts'
import { Refused } from '../refused.ts'
import type { SignerView, SignOrder } from '../verify.ts'

/*
 * Standing orders: people approved once what may be moved without them. Each signer keeps the newest version of every one that it followed, and lets a transfer
 * through only by its own copy. That none of the three knows a newer version, or that somebody stopped it, all say in their words on the session.
 */

/** How a transfer is judged that a standing order covers. */
export type Covered = { needs: Needs; deniedAt(atMs: number): string | undefined }

/**
 * c5 and c6: the standing order that is named is the newest of its id that is known here, nobody stopped it, it covers the transfer, and no people are said to
 * approve. A transfer that was signed before (`isKnown`) is not judged again. Throws Refused.
 */
export function checkCovered(request: SignRequest, { intent, effects }: Pick<SignOrder, 'intent' | 'effects'>, view: SignerView, isKnown: boolean): Covered {
  const { register, nowMs } = view
  const hash = request.standingOrder
  const kept = register.standingOrders.get(toHex(intent.initiator))
  if (!kept || hash === null || (!isKnown && !equalBytes(kept.hash, hash))) throw new Refused('c5', 'no such standing order is in force at this signer')
  if (request.approvals.length > 0) throw new Refused('c5', 'a transfer under a standing order has no approvals: people approved the standing order')
  const deniedAt = (atMs: number) => faultUnderStanding(kept.order, intent, factsFor(request, { intent, effects }, view, atMs), atMs)
  if (!isKnown) {
    checkNotStopped(kept, register)
    const fault = deniedAt(nowMs)
    if (fault !== undefined) throw new Refused('c5', `standing order “${kept.order.name}”: ${fault}`)
    checkCoins(effects)
  }
  return { needs: needsOfStanding(kept.order, intent), deniedAt }
}

/**
 * c7: no coin is spent that is so small that it may carry an inscription. What a coin carries no signer knows, and nobody looks at what a standing
 * order spends: people may spend such coins by an order of their own. Throws Refused.
 */
function checkCoins({ inputs = [] }: Effects): void {
  const small = inputs.find(({ amount }) => amount <= POSTAGE_MAX)
  if (!small) return
  const words = `the coin ${small.outpoint} holds ${small.amount} base units: it may carry an inscription, and nobody approved that it is spent`
  throw new Refused('c7', words)
}

/** c6: nobody stopped the standing order that is named, and no newer version has come since. Throws Refused. */
export function checkStillStanding(hash: Uint8Array | null, { initiator }: SpendingIntent, register: Register): void {
  if (hash === null) return
  const kept = register.standingOrders.get(toHex(initiator))
  if (!kept || !equalBytes(kept.hash, hash)) throw new Refused('c5', 'no such standing order is in force at this signer')
  checkNotStopped(kept, register)
}

function checkNotStopped({ order, stoppedBy }: KeptOrder, register: Register): void {
  if (!stoppedBy) return
  const name = findPerson(register.policy, stoppedBy)?.name ?? toHex(stoppedBy)
  throw new Refused('c6', `${name} stopped the standing order “${order.name}”: it goes on when a newer version is approved`)
}

/** What this signer knows of the address that is paid, and of the accounts whose authorizations the bytes carry. */
function factsFor(
  request: SignRequest,
  { intent, effects }: Pick<SignOrder, 'intent' | 'effects'>,
  { register, codecFor }: SignerView,
  atMs: number,
): StandingFacts {
  const { asset, to, ...payment } = originalOf(intent)
  const codec = codecFor(asset.chain)
  const memo = 'memo' in payment ? payment.memo : null
  const addressAt = (place: OwnPlace) => (codec ? ownAddressAt(place, register, codec) : undefined)
  const places = new Map(request.own.map((each) => [each.address, each]))
  const isOwn = (address: string) => {
    const place = places.get(address)
    return place !== undefined && addressAt(place) === address
  }
  return {
    paidPlace: places.get(to),
    addressAt,
    carried: carriedIn(effects.actions ?? [], isOwn),
    listing: { isListed: listedAt(register.book, { chain: asset.chain, address: to, memo }, atMs).state === 'listed' },
  }
}
