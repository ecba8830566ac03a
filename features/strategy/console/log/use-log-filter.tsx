import { useEndpoint } from '@holdfast/client'
import { DayRange, FilterPicker } from '@holdfast/ui'
import { dayLimits } from '@holdfast/ui/url-filters'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listMemberChoices } from '../../contract.ts'

type Narrowed = { user?: string; start_time?: number; end_time?: number }
type Choice = { user?: string | undefined; from?: string | undefined; to?: string | undefined }

/**
 * Narrows a log to what one person proposed, and to some days; `onChange` is told of another choice, which begins at the first page. Nothing is offered over a log
 * that has nothing in it.
 */
export function useLogFilter(onChange: () => void): { narrowed: Narrowed; isNarrowed: boolean; toolsOver: (total: number | undefined) => ReactNode } {
  const { t } = useTranslation('strategyEngine')
  const { data } = useEndpoint(listMemberChoices, {})
  const [choice, setChoice] = useState<Choice>({})
  const { user, from, to } = choice
  const choose = (next: Choice) => {
    setChoice((former) => ({ ...former, ...next }))
    onChange()
  }
  const options = data?.map(({ person_id: value, name: label }) => ({ value, label })) ?? []
  const tools = (
    <search className="hf-filters">
      <FilterPicker label={t('rules.log.who')} value={user} options={options} onChange={(next) => choose({ user: next })} />
      <DayRange label={t('rules.log.days')} fromLabel={t('rules.log.fromDay')} toLabel={t('rules.log.toDay')} from={from} to={to} onChange={choose} />
    </search>
  )
  const narrowed = { ...(user === undefined ? {} : { user }), ...dayLimits({ from, to }) }
  const isNarrowed = Object.keys(narrowed).length > 0
  return { narrowed, isNarrowed, toolsOver: (total = 0) => (isNarrowed || total > 0 ? tools : undefined) }
}
