import { encode, equalBytes, list, type Shape, struct } from '@holdfast/encoding'
import { deputiesMeant, deputiesOf } from '../people/deputies.ts'
import { isAmong } from '../people/is-among.ts'
import { peopleMeant, WHO_MAX, whoShape } from '../people/who.ts'
import { areAmong } from './compare.ts'
import { PARTS, type PartName } from './part-names.ts'
import { peopleOfParts } from '../parts.ts'
import { listingCoolingMs } from '../rules/listing-cooling.ts'
import { type Policy, policyShape, type ThirdForm } from '../policy.ts'
import { inThirdForm } from '../third-form.ts'

/** What a change of the policy touches: parts that can have approvers of their own, and what only those who govern decide. */
export type Touched = PartName | 'governance'

/** Of what each field is: null for what a version must say in any case, and for its time, which `isRenewal` looks at. */
const FIELD_OF: Record<Exclude<keyof ThirdForm, 'kind'>, Touched | null> = {
  genesis: null,
  version: null,
  previous: null,
  issuedAtMs: null,
  expiresAtMs: null,
  people: 'members',
  rules: 'strategies',
  groups: 'strategies',
  assets: 'assets',
  valuation: 'valuation',
  machines: 'machines',
  origins: 'governance',
  governance: 'governance',
  recovery: 'governance',
  signers: 'governance',
  parts: 'governance',
  looseningDelayMs: 'governance',
}

const FIELDS: Record<string, Shape> = policyShape.variants.namedRules.fields

/** Whether two values of one shape are the same, by their bytes. */
export function isSame(shape: Shape, a: unknown, b: unknown): boolean {
  const compared = struct('holdfast/compared/v1', { value: shape })
  return equalBytes(encode(compared, { value: a }), encode(compared, { value: b }))
}

/**
 * What a change from one version of the policy to another touches, computed from both and from nothing else: those who govern, and every part in which a byte
 * differs. People who govern, or who approve changes of any part, are no mere members: what changes of them or of their keys only those who govern decide, as
 * they do who is meant where a part names a group. Empty where nothing differs but that the policy is valid for longer, as renewals make it.
 */
export function partsTouched(current: Policy, next: Policy): Touched[] {
  const [before, after] = [inThirdForm(current), inThirdForm(next)]
  const touched = new Set<Touched>()
  if (current.kind !== next.kind || !isRenewal(current, next) || bindsOthers(before, after)) touched.add('governance')
  for (const [field, part] of Object.entries(FIELD_OF)) {
    const [was, is] = [before, after].map((policy) => policy[field as keyof ThirdForm])
    if (part !== null && !isSame(FIELDS[field] as Shape, was, is)) touched.add(part)
  }
  if (listingCoolingMs(before) !== listingCoolingMs(after)) touched.add('governance')
  if (deputiesDiffer(before, after)) touched.add('governance')
  if (unitsDiffer(before, after)) touched.add('valuation')
  return (['governance', ...PARTS] as const).filter((name) => touched.has(name))
}

/** Whether an asset that the table values has other decimals than before, so that its base units are worth something else though the table says the same. */
function unitsDiffer(before: ThirdForm, after: ThirdForm): boolean {
  const pinned = ({ assets }: ThirdForm, chain: string, asset: string) => assets.find((each) => each.chain === chain && (each.contract ?? '') === asset)
  return after.valuation.some(({ chain, asset }) => {
    const [was, is] = [pinned(before, chain, asset), pinned(after, chain, asset)]
    return was !== undefined && was.decimals !== is?.decimals
  })
}

/** Whether others may stand in for somebody than before: also where a group that is named has others in it. */
function deputiesDiffer(before: ThirdForm, after: ThirdForm): boolean {
  const areSame = isSame(list(whoShape, WHO_MAX), deputiesOf(before), deputiesOf(after))
  const [were, are] = [deputiesMeant(before), deputiesMeant(after)]
  return !areSame || !areAmong(were, are) || !areAmong(are, were)
}

/** Whether two versions say differently who approves parts of the workspace, who may stand in for somebody, or how long what loosens
 * the policy or an address of the whitelist waits. */
export function changesParts(current: Policy, next: Policy): boolean {
  const [before, after] = [inThirdForm(current), inThirdForm(next)]
  if (listingCoolingMs(before) !== listingCoolingMs(after) || deputiesDiffer(before, after)) return true
  return (['parts', 'looseningDelayMs'] as const).some((field) => !isSame(FIELDS[field] as Shape, before[field], after[field]))
}

/** Whether a version lasts as long as the one before it, or is valid from later on for no longer than that was. */
export function isRenewal(current: Policy, next: Policy): boolean {
  const life = ({ issuedAtMs, expiresAtMs }: Policy) => expiresAtMs - issuedAtMs
  if (next.expiresAtMs === current.expiresAtMs) return true
  return next.expiresAtMs > current.expiresAtMs && next.issuedAtMs >= current.issuedAtMs && life(next) <= life(current)
}

/** Whether a change makes others of those who decide over the policy: by their keys, or by who is meant where a part names them. */
function bindsOthers(before: ThirdForm, after: ThirdForm): boolean {
  const deciders = [before, after].flatMap((policy) => [...policy.governance.approvers, ...peopleOfParts(policy)])
  const person = (policy: Policy, id: Uint8Array) => policy.people.filter((each) => equalBytes(each.id, id))
  if (deciders.some((id) => !isSame(FIELDS['people'] as Shape, person(before, id), person(after, id)))) return true
  return before.parts.some(({ who }) => {
    const [were, are] = [peopleMeant(before, who), peopleMeant(after, who)]
    return were.length !== are.length || were.some((id) => !isAmong(are, id))
  })
}
