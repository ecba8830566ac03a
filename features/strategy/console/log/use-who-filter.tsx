import { useEndpoint } from '@holdfast/client'
import { FilterPicker } from '@holdfast/ui'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listMemberChoices } from '../../contract.ts'

/**
 * Narrows a log to what one person proposed; `onChange` is told of another choice, which begins at the first page. Nothing is offered over a log that has
 * nothing in it.
 */
export function useWhoFilter(onChange: () => void): { narrowed: { user?: string }; toolsOver: (total: number | undefined) => ReactNode } {
  const { t } = useTranslation('strategyEngine')
  const { data } = useEndpoint(listMemberChoices, {})
  const [user, setUser] = useState<string>()
  const choose = (next: string | undefined) => {
    setUser(next)
    onChange()
  }
  const options = data?.map(({ person_id: value, name: label }) => ({ value, label })) ?? []
  const tools = (
    <search className="hf-filters">
      <FilterPicker label={t('rules.log.who')} value={user} options={options} onChange={choose} />
    </search>
  )
  return { narrowed: user === undefined ? {} : { user }, toolsOver: (total = 0) => (user === undefined && total === 0 ? undefined : tools) }
}
