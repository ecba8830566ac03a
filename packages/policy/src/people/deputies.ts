import type { Locale } from '@holdfast/intent'
import { equalBytes } from '@holdfast/encoding'
import { hasThirdForm, type Policy, type ThirdForm } from '../policy.ts'
import { listingCoolingMs } from '../rules/listing-cooling.ts'
import { faultOfWho, nameWho, peopleMeant, type Who } from './who.ts'

/** Who may stand in for whoever is away, as a policy names them: nobody in every form that does not say it. */
export const deputiesOf = (policy: Policy): readonly Who[] => (policy.kind === 'namedDeputies' ? policy.deputies : [])

/** Everybody who may stand in for somebody, each once. */
export const deputiesMeant = (policy: Policy): readonly Uint8Array[] => peopleMeant(policy, deputiesOf(policy))

/** A policy by which these may stand in. It keeps its form where nobody may and it says nothing else, so that programs from before still read it. */
export function withDeputies(policy: ThirdForm, deputies: readonly Who[]): ThirdForm {
  if (deputies.length === 0 && policy.kind !== 'namedDeputies') return policy
  return { ...policy, kind: 'namedDeputies', listingCoolingMs: BigInt(listingCoolingMs(policy)), deputies: [...deputies] }
}

/** Why those who may stand in cannot be named like this; undefined if they can. */
export function faultOfDeputies(policy: Policy): string | undefined {
  const deputies = deputiesOf(policy)
  if (!hasThirdForm(policy) || deputies.length === 0) return undefined
  const fault = faultOfWho(policy, deputies)
  if (fault) return `list of deputies ${fault}`
  const hasKey = (id: Uint8Array) => policy.people.some((person) => equalBytes(person.id, id) && person.credentials.length > 0)
  return deputiesMeant(policy).every(hasKey) ? undefined : 'list of deputies names somebody without an approval key'
}

const WORDS: Record<Locale, (who: string) => string> = {
  'en-US': (who) => `Who is away may let one of these decide in their place, for 30 days at most: ${who}`,
  'zh-CN': (who) => `外出人员可指定下列人员之一代其审批，每次最长 30 天：${who}`,
}

/** Who may stand in, in words; nothing where nobody may. */
export function linesOfDeputies(policy: Policy, locale: Locale): string[] {
  const deputies = deputiesOf(policy)
  return deputies.length === 0 ? [] : [WORDS[locale](nameWho(policy, deputies, locale))]
}
