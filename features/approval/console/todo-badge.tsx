import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'
import { listTodo } from '@holdfast/features/proposal/contract'

const MOST_SHOWN = 99

/** How many orders wait for the person; nothing if none does. */
export function TodoBadge() {
  const { t } = useTranslation()
  const { data } = useEndpoint(listTodo, { state: 'wait', page_no: 1, page_size: 1 }, { isAside: true })
  const count = data?.counts.wait ?? 0
  if (count === 0) return null
  return (
    <span className="hf-badge" aria-label={t('approval.waitingCount', { count })}>
      {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
    </span>
  )
}
