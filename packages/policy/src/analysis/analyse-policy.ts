import type { About } from '../conditions/index.ts'
import type { Policy } from '../policy.ts'
import { readRule } from '../rules/read-rule.ts'
import type { Rule } from '../rules/rule-shapes.ts'
import { type Band, piecesIn } from './dimension.ts'
import { isWithin, meet, type Region, without } from './region.ts'
import { everything, type Point, pointIn, regionOf, type Subject, subjectsOf } from './subject.ts'

/** Orders of a subject, and one of them. */
export type Found = { subject: Subject; region: Region; witness: Point }

/** Orders that two rules are for: the first decides, and where its limits are used up, the other. `isWhole`: all that the other is for. */
export type Overlap = Found & { first: Rule; other: Rule; isWhole: boolean }

/** A rule that never decides: earlier rules without limits take all that it is for, or it is for nothing at all (`by` is empty). */
export type Shadowed = { rule: Rule; by: readonly Rule[]; found: Found | null }

/** A rule with orders it decides on, in parts that have nothing in common. */
export type Decides = { rule: Rule; parts: readonly Found[] }

/** Amounts of an asset, with the rules that decide on some such payment in the order in which they are asked, and whether none does on some. */
export type AmountBand = { chain: string; asset: string; band: Band; rules: readonly Rule[]; hasGap: boolean }

/** What a policy lets be decided by which of its rules. */
export type Analysis = {
  subjects: readonly { as: About; chain: string; decides: readonly Decides[]; isWhole: boolean }[]
  bands: readonly AmountBand[]
  gaps: readonly Found[]
  overlaps: readonly Overlap[]
  shadowed: readonly Shadowed[]
  /** Whether nothing was left out: with very many borders not every part of a gap is listed. */
  isWhole: boolean
}

const PARTS_MAX = 4_000
const OVERLAPS_MAX = 2_000

type Looked = { subject: Subject; asked: { rule: Rule; region: Region; rest: Region[] | undefined; takers: Rule[] }[]; gaps: Region[] | undefined }

/**
 * Which rule decides on what, what none decides on, where two are for the same, and which never decide. Exact, as every border of every rule is looked at, for
 * payments to one recipient and calls that carry no others, at the times of the week that begins now.
 */
export function analysePolicy(policy: Policy, nowMs: number): Analysis {
  const looked = subjectsOf(policy, nowMs).map((subject) => look(policy, subject))
  const overlaps = looked.flatMap(overlapsOf)
  const subjects = looked.map(({ subject, asked, gaps }) => ({
    as: subject.as,
    chain: subject.chain,
    decides: asked.map(({ rule, rest = [] }) => ({ rule, parts: rest.map((region) => found(subject, region)) })),
    isWhole: subject.isWhole && gaps !== undefined && asked.every(({ rest }) => rest !== undefined),
  }))
  return {
    subjects,
    bands: looked.flatMap(bandsOfAmounts),
    gaps: looked.flatMap(({ subject, gaps = [] }) => gaps.map((region) => found(subject, region))),
    overlaps: overlaps.slice(0, OVERLAPS_MAX),
    shadowed: shadowedIn(policy, looked),
    isWhole: subjects.every(({ isWhole }) => isWhole) && overlaps.length <= OVERLAPS_MAX,
  }
}

const found = (subject: Subject, region: Region): Found => ({ subject, region, witness: pointIn(subject, region) })

const isEmpty = (region: Region): boolean => region.includes(0n)

/** The rules of a subject as they are asked, each with what earlier rules without limits leave to it. */
function look(policy: Policy, subject: Subject): Looked {
  const taken: { rule: Rule; region: Region }[] = []
  const regions: Region[] = []
  const asked = subject.rules.flatMap((rule) => {
    const region = regionOf(subject, rule)
    if (isEmpty(region)) return []
    const before = taken.filter((each) => meet(each.region, region))
    const whole = before.find((each) => isWithin(region, each.region))
    const rest = whole
      ? []
      : without(
          region,
          before.map((each) => each.region),
          PARTS_MAX,
        )
    regions.push(region)
    if (!readRule(rule, policy).passesOn) taken.push({ rule, region })
    return [{ rule, region, rest, takers: (whole ? [whole] : before).map((each) => each.rule) }]
  })
  const all = everything(subject)
  return { subject, asked, gaps: isEmpty(all) ? [] : without(all, regions, PARTS_MAX) }
}

function overlapsOf({ subject, asked }: Looked): Overlap[] {
  const deciding = asked.filter(({ rest }) => rest === undefined || rest.length > 0)
  return deciding.flatMap((first, i) =>
    deciding.slice(i + 1).flatMap((other): Overlap[] => {
      const region = meet(first.region, other.region)
      if (!region) return []
      return [{ ...found(subject, region), first: first.rule, other: other.rule, isWhole: isWithin(other.region, first.region) }]
    }),
  )
}

/** A rule for several networks is shadowed if it decides on none of them. */
function shadowedIn(policy: Policy, looked: readonly Looked[]): Shadowed[] {
  return policy.rules.flatMap((rule): Shadowed[] => {
    const places = looked.flatMap(({ subject, asked }) => asked.filter((each) => each.rule === rule).map((each) => ({ subject, ...each })))
    if (places.some(({ rest }) => rest === undefined || rest.length > 0)) return []
    const by = new Set(places.flatMap(({ takers }) => takers))
    return [{ rule, by: [...by], found: places[0] ? found(places[0].subject, places[0].region) : null }]
  })
}

function bandsOfAmounts({ subject, asked, gaps = [] }: Looked): AmountBand[] {
  const [assets] = subject.dimensions
  if (subject.as !== 'payment' || !assets) return []
  const bands = assets.classes.flatMap((pieces, i) => {
    const touches = (regions: readonly Region[] = []) => regions.some(([side = 0n]) => ((side >> BigInt(i)) & 1n) === 1n)
    const rules = asked.filter(({ rest }) => touches(rest)).map(({ rule }) => rule)
    return pieces.flatMap(({ told }) =>
      told.kind === 'asset' ? [{ chain: told.chain, asset: told.asset, band: { from: told.from, to: told.to }, rules, hasGap: touches(gaps) }] : [],
    )
  })
  const inOrder = piecesIn(assets, assets.all).map(({ told }) => told)
  return bands.toSorted((a, b) => placeOf(inOrder, a) - placeOf(inOrder, b) || (a.band.from < b.band.from ? -1 : 1))
}

const placeOf = (told: readonly { kind: string }[], { asset }: AmountBand): number =>
  told.findIndex((each) => each.kind === 'asset' && (each as { asset?: string }).asset === asset)
