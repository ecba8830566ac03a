import { useTranslation } from 'react-i18next'
import type { Who } from '@holdfast/features/rule-draft/contract'
import type { Names } from '../words/rule-words.ts'
import { Chips } from './parts.tsx'

/** Whom it can name. */
export type People = Pick<Names, 'groups'> & { known: Pick<Names['known'], 'people'> }

type WhoFieldProps = { label: string; who: readonly Who[]; names: People; onChange: (who: Who[]) => void; error?: string | undefined }

const keyOf = ({ kind, id }: Who) => `${kind} ${id}`

/** People and groups. */
export function WhoField({ label, who, names, onChange, error }: WhoFieldProps) {
  const { t } = useTranslation('strategyEngine')
  const { groups, known } = names
  const all = [
    ...groups.map(({ id, name, members }) => ({ who: { kind: 'group', id } as Who, label: name, detail: t('rules.group.people', { count: members.length }) })),
    ...known.people.map(({ id, name, has_key: hasKey }) => ({
      who: { kind: 'person', id } as Who,
      label: name,
      ...(hasKey ? {} : { detail: t('rules.edit.noKey') }),
    })),
  ].map((each) => ({ ...each, value: keyOf(each.who) }))
  const chosen = who.map((each) => all.find(({ value }) => value === keyOf(each)) ?? { value: keyOf(each), label: each.id })
  return (
    <Chips
      label={label}
      addLabel={t('rules.edit.addWho')}
      chosen={chosen}
      options={all}
      onAdd={(value) => onChange([...who, ...all.flatMap((each) => (each.value === value ? [each.who] : []))])}
      onDrop={(value) => onChange(who.filter((each) => keyOf(each) !== value))}
      error={error}
    />
  )
}
