import { readTokenWallets } from '@holdfast/chain-core'
import { type PartName } from './part-names.ts'
import { quorumOfPart, type PartQuorum } from '../parts.ts'
import { findPerson, hasThirdForm, type Policy, policyShape, type RecoveryRecipients, type ThirdForm } from '../policy.ts'
import { listingCoolingMs } from '../rules/listing-cooling.ts'
import { countsNoLess } from '../rules/valuation.ts'
import { inThirdForm } from '../third-form.ts'
import { deputiesMeant } from '../people/deputies.ts'
import { ASKING_KINDS } from '../people/machines.ts'
import { areAmong } from './compare.ts'
import { rulesLoosen } from './loosened-rules.ts'
import { isRenewal, isSame } from './touched-parts.ts'

/**
 * Whether a version of the policy lets anybody do what the one before it did not let them, or with less: computed from both. What cannot be ordered loosens. A
 * version that only is valid for another while, as renewals make it, does not; nor does one that puts another signer in the place of one: it has no share
 * before those who govern have new ones made, and a signer that is lost must not stay lost for a day.
 */
export function loosens(current: Policy, next: Policy): boolean {
  if (hasThirdForm(current) && !hasThirdForm(next)) return true
  const [before, after] = [inThirdForm(current), inThirdForm(next)]
  return (
    !isRenewal(current, next) ||
    rulesLoosen(before, after) ||
    peopleLoosen(before, after) ||
    assetsLoosen(before, after) ||
    machinesLoosen(before, after) ||
    !countsNoLess(after, before) ||
    quorumLoosens(quorumOf(after), quorumOf(before)) ||
    partsLoosen(before, after) ||
    after.origins.some((each) => !before.origins.some(({ origin, rpId }) => origin === each.origin && rpId === each.rpId)) ||
    after.recovery.some((each) => !isTighterRecovery(each, before)) ||
    after.looseningDelayMs < before.looseningDelayMs ||
    listingCoolingMs(after) < listingCoolingMs(before) ||
    !areAmong(deputiesMeant(after), deputiesMeant(before)) ||
    // Those who read a name believe that they know who it is.
    after.groups.some(({ id, name }) => before.groups.some((was) => was.id === id && was.name !== name))
  )
}

const FIELDS = policyShape.variants.namedRules.fields

/** Somebody who stays has another name, or a key that they had not. Who comes in can do only what rules, parts and those who govern let them. */
function peopleLoosen(before: ThirdForm, after: ThirdForm): boolean {
  return after.people.some((person) => {
    const was = findPerson(before, person.id)
    if (!was) return false
    const item = FIELDS.people.item.fields.credentials.item
    return was.name !== person.name || person.credentials.some((key) => !was.credentials.some((each) => isSame(item, each, key)))
  })
}

/** An asset is pinned that was not, in these words; or the form of a token's wallets is pinned no more, though the token is. */
function assetsLoosen(before: ThirdForm, after: ThirdForm): boolean {
  const has = ({ assets }: ThirdForm, wanted: ThirdForm['assets'][number]) => assets.some((each) => isSame(FIELDS.assets.item, each, wanted))
  if (after.assets.some((asset) => !has(before, asset))) return true
  return before.assets.some((asset) => {
    const wallets = readTokenWallets(asset.contract)
    return wallets && !has(after, asset) && after.assets.some(({ chain, contract }) => chain === asset.chain && contract === wallets.token)
  })
}

/** A machine may act that was not, or as it was not; or one that looks at orders no longer does. */
function machinesLoosen(before: ThirdForm, after: ThirdForm): boolean {
  const isTighter = (is: ThirdForm['machines'][number], was: ThirdForm['machines'][number]) =>
    is.expiresAtMs <= was.expiresAtMs && isSame(FIELDS.machines.item, { ...is, expiresAtMs: 0n }, { ...was, expiresAtMs: 0n })
  if (after.machines.some((is) => !before.machines.some((was) => isTighter(is, was)))) return true
  return before.machines.some(({ id, kind }) => !ASKING_KINDS.includes(kind) && !after.machines.some((each) => each.id === id))
}

const quorumOf = ({ governance }: Policy): PartQuorum => governance

/** Somebody decides who did not, or fewer are enough. */
const quorumLoosens = (is: PartQuorum, was: PartQuorum): boolean => is.threshold < was.threshold || !areAmong(is.approvers, was.approvers)

/** A part is decided by others than before: also where those who govern did, or do again. */
function partsLoosen(before: ThirdForm, after: ThirdForm): boolean {
  const names = [...before.parts, ...after.parts].map(({ part }) => part as PartName)
  return names.some((name) => {
    const [was, is] = [quorumOfPart(before, name), quorumOfPart(after, name)]
    return !was || !is || quorumLoosens(is, was)
  })
}

/** The same officers as before or some of them, and no fewer of them together. */
function isTighterRecovery(is: RecoveryRecipients, { recovery }: ThirdForm): boolean {
  const was = recovery.find(({ party }) => party === is.party)
  const needed = (each: RecoveryRecipients) => (each.kind === 'quorum' ? each.threshold : 1n)
  return was !== undefined && needed(is) >= needed(was) && is.recipients.every((recipient) => was.recipients.includes(recipient))
}
