import { ApprovalLink } from '@holdfast/features/approval-page/console'
import { browserPorts } from '@holdfast/ports/browser'
import { Button, DayRange, DrawerBody, DrawerFooter, ErrorState, LoadingState, Note, SelectField, useDrawerPage } from '@holdfast/ui'
import { useEndpoint } from '@holdfast/client'
import { dayBefore } from '@holdfast/ui/url-filters'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listVoteDelegations } from '../../contract.ts'
import { daysIn, linkTo } from './delegation-link.ts'

/** Chooses who is to decide in the reader's place, and for which days. It begins once they have signed it at the approval page. */
export function DelegateDrawer() {
  const { t } = useTranslation('teamMember')
  const { close } = useDrawerPage()
  const today = dayBefore(browserPorts.clock.nowMs(), 0)
  const [days, setDays] = useState<{ from: string | undefined; to: string | undefined }>({ from: today, to: undefined })
  const [chosen, setChosen] = useState('')
  const { data, error, refetch } = useEndpoint(listVoteDelegations, {})
  if (!data) return <DrawerBody>{error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={4} />}</DrawerBody>
  const count = daysIn(days)
  const isTooLong = count !== undefined && count > data.longest_days
  const href = chosen === '' || isTooLong ? undefined : linkTo(data.url, { delegateId: chosen, ...days })
  return (
    <>
      <DrawerBody>
        <Note>{t('delegation.note')}</Note>
        <SelectField
          label={t('delegation.whom')}
          value={chosen}
          onChange={setChosen}
          hint={t('delegation.whomNote')}
          options={[{ value: '', label: t('delegation.choose') }, ...data.may_name.map(({ user_id: value, name: label }) => ({ value, label }))]}
        />
        <div className="hf-field">
          <span className="hf-label" aria-hidden>
            {t('away.days')}
          </span>
          <DayRange
            label={t('away.days')}
            fromLabel={t('away.from')}
            toLabel={t('away.to')}
            {...days}
            onChange={(next) => setDays((present) => ({ ...present, ...next }))}
          />
          {isTooLong && (
            <p className="hf-field-error" role="alert">
              {t('delegation.tooLong', { count: data.longest_days })}
            </p>
          )}
        </div>
        <Note tone="info" title={t('delegation.signs')}>
          {t('delegation.signsNote')}
        </Note>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('cancel')}</Button>
        {href === undefined ? (
          <Button variant="primary" disabled>
            {t('delegation.sign')}
          </Button>
        ) : (
          <ApprovalLink variant="primary" href={href}>
            {t('delegation.sign')}
          </ApprovalLink>
        )}
      </DrawerFooter>
    </>
  )
}
