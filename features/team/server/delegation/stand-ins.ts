import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { brokenText, policyWords } from '@holdfast/features/policy/server'
import { timeInWords } from '@holdfast/intent'
import { findPerson, type Policy } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'
import type { Gap, TimedStandIn } from '../absence-gaps.ts'
import { readDelegations } from './read-delegations.ts'

/** Who decides in whose place, now or later, as a policy is held against it. */
export async function readStandIns(tx: OrganisationTx, nowMs: number): Promise<TimedStandIn[]> {
  return (await readDelegations(tx, nowMs)).map(({ delegatorId, delegateId, fromMs, untilMs }) => ({
    delegator: uuidToBytes(delegatorId),
    delegate: uuidToBytes(delegateId),
    fromMs,
    untilMs,
  }))
}

/** That one person decides in another's place, and until when, in words. */
export function standInText({ delegator, delegate, untilMs }: TimedStandIn, policy: Policy, language: Language): string {
  const nameOf = (id: Uint8Array) => findPerson(policy, id)?.name ?? ''
  return policyWords[language].decidesFor(nameOf(delegate), nameOf(delegator), timeInWords(BigInt(untilMs)))
}

/** What nobody can complete without those who are away, and beside it who decides in their place, where it can be completed by that. */
export function gapText({ broken, standIns }: Pick<Gap, 'broken' | 'standIns'>, policy: Policy, language: Language): string {
  const words = policyWords[language]
  const said = standIns.map((each) => standInText(each, policy, language)).join(words.separator)
  return said === '' ? brokenText([broken], policy, language).join('') : words.goesOn(brokenText([broken], policy, language).join(''), said)
}
