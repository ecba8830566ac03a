import { useEndpoint, useSend } from '@holdfast/client'
import { usePermission } from '@holdfast/features/session/console'
import { listMembers } from '@holdfast/features/team/contract'
import { ErrorState, Label, LoadingState, ManyPicker } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { listNoticeReceivers, removeNoticeReceivers, saveNoticeReceivers } from '../contract.ts'

/** The members who are told where an address names nobody of its own. */
export function ReceiversPart() {
  const { t } = useTranslation('tools')
  const mayWrite = usePermission('tools.write')
  const { data, error, refetch } = useEndpoint(listNoticeReceivers, {})
  const options = useMemberOptions()
  const [add, remove] = [useSend(saveNoticeReceivers), useSend(removeNoticeReceivers)]
  const ids = data?.list.map((each) => each.person_id) ?? []
  const change = (chosen: readonly string[]) => {
    const [more, fewer] = [chosen.filter((id) => !ids.includes(id)), ids.filter((id) => !chosen.includes(id))]
    if (more.length > 0) add.mutate({ person_ids: more })
    if (fewer.length > 0) remove.mutate({ person_ids: fewer })
  }
  return (
    <section className="hf-panel hf-stack" aria-labelledby="tron-receivers">
      <h2 id="tron-receivers">{t('tronTools.receivers.title')}</h2>
      <p className="hf-muted">{t('tronTools.receivers.note')}</p>
      {!data && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={1} />)}
      {data &&
        (data.list.length === 0 ? (
          <p>{t('tronTools.receivers.none')}</p>
        ) : (
          <p className="hf-row">
            {data.list.map(({ person_id: id, name }) => (
              <Label key={id} text={name} />
            ))}
          </p>
        ))}
      {data && mayWrite && (
        <div>
          <ManyPicker label={t('tronTools.receivers.choose')} options={options} values={ids} onChange={change} />
        </div>
      )}
    </section>
  )
}

/** The active members of the organisation, to choose from. */
export function useMemberOptions() {
  const { data } = useEndpoint(listMembers, { state: 'active', page_no: 1, page_size: 200 })
  return (data?.list ?? []).map(({ user_id: value, nick_name: label }) => ({ value, label }))
}
