import type { Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { type BrokenQuorum, isSamePlace, placesOf } from '@holdfast/features/policy/server'
import { type DraftFault, type Silent, strategyWords } from '@holdfast/features/rule-draft/server'
import { type Gap, gapText, readShortages } from '@holdfast/features/team/server'
import { timeInWords } from '@holdfast/intent'
import { findPerson, type Policy } from '@holdfast/policy'
import { uuidToBytes } from '@holdfast/units'

type Asked = { language: Language; nowMs: number; silent: readonly Silent[] }

/**
 * Of a version that can be proposed: what nobody could complete by it while people are away who say so, with who decides for them where that is enough, and if
 * all of those were gone of whom nothing was heard for long. Of its rules, or of its parts.
 */
export async function shortageWarnings(
  tx: OrganisationTx,
  next: Policy,
  { language, nowMs, silent }: Asked,
  where: BrokenQuorum['where'],
): Promise<DraftFault[]> {
  const words = strategyWords[language]
  const ids = silent.map(({ id }) => id)
  const { gaps, together } = await readShortages(tx, next, { nowMs, silent: ids })
  const timeOf = (ms: number) => timeInWords(BigInt(ms))
  const warning = (
    { broken, standIns = [] }: Pick<Gap, 'broken'> & Partial<Pick<Gap, 'standIns'>>,
    people: readonly string[],
    say: (names: string, text: string) => string,
  ): DraftFault[] => {
    if (broken.where !== where) return []
    const isNamed = (id: string) => placesOf(next, uuidToBytes(id)).some(({ of }) => isSamePlace(of, broken))
    const names = people.filter(isNamed).map((id) => findPerson(next, uuidToBytes(id))?.name ?? '')
    const rule =
      broken.where === 'rule' ? { rule_id: broken.id, rule_name: broken.name, field: 'steps' as const } : { rule_id: null, rule_name: null, field: null }
    return [{ ...rule, step: null, person: null, code: '', text: say(names.join(words.separator), gapText({ broken, standIns }, next, language)) }]
  }
  return [
    ...gaps.flatMap(({ broken, fromMs, toMs, away, standIns }) =>
      warning({ broken, standIns }, away, (names, text) => words.whileAway(names, fromMs <= nowMs ? null : timeOf(fromMs), timeOf(toMs), text)),
    ),
    ...together.flatMap((broken) => warning({ broken }, ids, words.ifGone)),
  ]
}
