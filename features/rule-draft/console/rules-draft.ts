import { type GroupDraft, RULE_NAME_MAX, type RuleDraft, type RulesDraft, type Who } from '@holdfast/features/rule-draft/contract'

export type DraftEntry = RulesDraft['rules'][number]
export type NamedDraft = Extract<DraftEntry, { kind: 'named' }>
export type About = RuleDraft['covers']['kind']

/** What a list of rules shows together: those about one kind of thing, and of them those of one level. */
export type Shelf = { about: About; level: RuleDraft['level'] }

/** Of a rule of the first forms, which the draft only names, what it is about. */
export type AboutKept = (id: string) => About | undefined

export const isNamed = (entry: DraftEntry): entry is NamedDraft => entry.kind === 'named'

/** Where a rule stands. Rules of the first forms are asked among the higher ones. */
export function shelfOf(entry: DraftEntry, aboutKept: AboutKept): Shelf {
  return isNamed(entry) ? { about: entry.covers.kind, level: entry.level } : { about: aboutKept(entry.id) ?? 'payments', level: 'higher' }
}

const isOn = (shelf: Shelf, entry: DraftEntry, aboutKept: AboutKept) => {
  const own = shelfOf(entry, aboutKept)
  return own.about === shelf.about && own.level === shelf.level
}

/** The rules of a shelf, in the order in which they are asked. */
export const rulesOn = (draft: RulesDraft, shelf: Shelf, aboutKept: AboutKept): DraftEntry[] => draft.rules.filter((entry) => isOn(shelf, entry, aboutKept))

/** The draft in which a rule is asked at another place, from 0, among those of its shelf; the others keep their order. */
export function placeRule(draft: RulesDraft, id: string, at: number, aboutKept: AboutKept): RulesDraft {
  const entry = draft.rules.find((each) => each.id === id)
  if (!entry) return draft
  const shelf = rulesOn(draft, shelfOf(entry, aboutKept), aboutKept)
  const placed = shelf.filter((each) => each !== entry).toSpliced(Math.max(0, at), 0, entry)
  return { ...draft, rules: draft.rules.map((each) => placed[shelf.indexOf(each)] ?? each) }
}

/** The draft in which a rule is asked one place earlier or later among those of its shelf. */
export function moveRule(draft: RulesDraft, id: string, step: -1 | 1, aboutKept: AboutKept): RulesDraft {
  const entry = draft.rules.find((each) => each.id === id)
  if (!entry) return draft
  return placeRule(draft, id, rulesOn(draft, shelfOf(entry, aboutKept), aboutKept).indexOf(entry) + step, aboutKept)
}

/**
 * The draft with a rule put in or in the place of the one with its id. A new one is asked last on its shelf, but before rules of the first forms: behind them
 * nothing is asked.
 */
export function putRule(draft: RulesDraft, rule: NamedDraft, aboutKept: AboutKept): RulesDraft {
  if (draft.rules.some(({ id }) => id === rule.id)) return { ...draft, rules: draft.rules.map((each) => (each.id === rule.id ? rule : each)) }
  const shelf = shelfOf(rule, aboutKept)
  const at = draft.rules.findIndex((each) => !isNamed(each) && isOn(shelf, each, aboutKept))
  return { ...draft, rules: at < 0 ? [...draft.rules, rule] : draft.rules.toSpliced(at, 0, rule) }
}

export const dropRule = (draft: RulesDraft, id: string): RulesDraft => ({ ...draft, rules: draft.rules.filter((each) => each.id !== id) })

/** A name that no other rule has: the one given, or with a number behind it. */
export function freeName(draft: RulesDraft, wanted: string): string {
  const taken = new Set(draft.rules.filter(isNamed).map(({ name }) => name))
  const numbered = (no: number) => `${[...wanted].slice(0, RULE_NAME_MAX - String(no).length - 1).join('')} ${no}`
  if (!taken.has(wanted)) return wanted
  let no = 2
  while (taken.has(numbered(no))) no++
  return numbered(no)
}

/** The draft with a copy of a rule right behind it, under an id and a name of its own. */
export function duplicateRule(draft: RulesDraft, id: string, newId: string): RulesDraft {
  const at = draft.rules.findIndex((each) => each.id === id)
  const entry = draft.rules[at]
  if (!entry || !isNamed(entry)) return draft
  return { ...draft, rules: draft.rules.toSpliced(at + 1, 0, { ...entry, id: newId, name: freeName(draft, entry.name) }) }
}

/** The draft with a group put in or in the place of the one with its id. */
export function putGroup(draft: RulesDraft, group: GroupDraft): RulesDraft {
  const isKnown = draft.groups.some(({ id }) => id === group.id)
  return { ...draft, groups: isKnown ? draft.groups.map((each) => (each.id === group.id ? group : each)) : [...draft.groups, group] }
}

export const dropGroup = (draft: RulesDraft, id: string): RulesDraft => ({ ...draft, groups: draft.groups.filter((each) => each.id !== id) })

/** The names of the rules that name a group: as long as there are any, it stays. */
export function rulesWithGroup(draft: RulesDraft, groupId: string): string[] {
  const names = (who: readonly Who[]) => who.some(({ kind, id }) => kind === 'group' && id === groupId)
  return draft.rules.filter(isNamed).flatMap(({ name, conditions, action }) => {
    const asks = conditions.some((each) => each.kind === 'askers' && names(each.who))
    const stops = action.kind !== 'refuse' && names(action.may_stop)
    const approves = action.kind === 'approve' && action.steps.some((step) => names(step.who))
    return asks || stops || approves ? [name] : []
  })
}

/** How a rule or a group of the draft differs from the version that it began with. */
export type Difference = 'new' | 'changed' | 'moved'

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** How each rule differs, by its id. Moved is what stands before another that it stood behind, on the same shelf; of two that changed places, one. */
export function differences(base: RulesDraft, draft: RulesDraft, aboutKept: AboutKept): Map<string, Difference> {
  const found = new Map<string, Difference>()
  for (const entry of draft.rules) {
    const before = base.rules.find(({ id }) => id === entry.id)
    if (!before) found.set(entry.id, 'new')
    else if (!isSame(before, entry)) found.set(entry.id, 'changed')
  }
  const shelves = new Map(draft.rules.map((entry) => [JSON.stringify(shelfOf(entry, aboutKept)), shelfOf(entry, aboutKept)]))
  for (const shelf of shelves.values()) {
    const ids = rulesOn(draft, shelf, aboutKept).map(({ id }) => id)
    const before = rulesOn(base, shelf, aboutKept).map(({ id }) => id)
    for (const id of movedIn(
      before.filter((each) => ids.includes(each)),
      ids.filter((each) => before.includes(each)),
    ))
      if (!found.has(id)) found.set(id, 'moved')
  }
  return found
}

/** The fewest that have to be taken out of a list and put elsewhere to make another of it: all but a longest run that keeps its order. */
function movedIn(before: readonly string[], after: readonly string[]): string[] {
  const places = after.map((id) => before.indexOf(id))
  const runs: number[][] = []
  for (const [at, place] of places.entries()) {
    const best = runs.filter((_, earlier) => (places[earlier] ?? 0) < place).reduce<number[]>((most, run) => (run.length > most.length ? run : most), [])
    runs.push([...best, at])
  }
  // Of two that changed places, the one that is asked earlier now is what was moved.
  const kept = runs.reduce<number[]>((most, run) => (run.length >= most.length ? run : most), [])
  return after.filter((_, at) => !kept.includes(at))
}

/** How many changes a draft has: rules that are new, other, elsewhere or gone, and the same of groups. */
export function changeCount(base: RulesDraft, draft: RulesDraft, aboutKept: AboutKept): number {
  const goneRules = base.rules.filter(({ id }) => !draft.rules.some((each) => each.id === id)).length
  const groups = draft.groups.filter(
    (group) =>
      !isSame(
        base.groups.find(({ id }) => id === group.id),
        group,
      ),
  ).length
  const goneGroups = base.groups.filter(({ id }) => !draft.groups.some((each) => each.id === id)).length
  return differences(base, draft, aboutKept).size + goneRules + groups + goneGroups
}

/** Everybody whose approval or no counts under a draft's rules, by their ids. */
export function approversIn({ rules, groups }: RulesDraft): ReadonlySet<string> {
  const who = rules.filter(isNamed).flatMap(({ action }) => {
    if (action.kind === 'refuse') return []
    return [...action.may_stop, ...(action.kind === 'approve' ? action.steps.flatMap((step) => step.who) : [])]
  })
  return new Set(peopleIn(who, groups))
}

/** Everybody named, by themselves or in a group, each once. */
export const peopleIn = (who: readonly Who[], groups: readonly GroupDraft[]): string[] => [
  ...new Set(who.flatMap(({ kind, id }) => (kind === 'person' ? [id] : (groups.find((each) => each.id === id)?.members ?? [])))),
]
