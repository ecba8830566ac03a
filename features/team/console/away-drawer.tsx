import './team.css'
import { browserPorts } from '@holdfast/ports/browser'
import { Button, DayRange, DrawerBody, DrawerFooter, Note, REMARK_LIMIT, SelectField, TextField, useDrawerPage } from '@holdfast/ui'
import { useEndpoint, useSend } from '@holdfast/client'
import { dayBefore, dayLimits } from '@holdfast/ui/url-filters'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listMembers, saveOutOfOffice } from '../contract.ts'
import type { Member } from './member-parts.tsx'

const NOBODY = ''
const CHOICES_MAX = 100

/** Says from when to when the reader will not be there, and whom others may ask meanwhile. */
export function AwayDrawer({ member }: { member: Pick<Member, 'user_id'> }) {
  const { t } = useTranslation('teamMember')
  const { close } = useDrawerPage()
  const today = dayBefore(browserPorts.clock.nowMs(), 0)
  const [days, setDays] = useState<{ from: string | undefined; to: string | undefined }>({ from: today, to: undefined })
  const [deputy, setDeputy] = useState(NOBODY)
  const [note, setNote] = useState('')
  const { data } = useEndpoint(listMembers, { state: 'active', page_no: 1, page_size: CHOICES_MAX })
  const send = useSend(saveOutOfOffice)
  const { start_time: from, end_time: to } = dayLimits(days)
  const save = () => {
    if (from === undefined || to === undefined) return
    send.mutate({ from, to, note, ...(deputy === NOBODY ? {} : { delegate: deputy }) }, { onSuccess: ({ warnings }) => warnings.length === 0 && close() })
  }
  if (send.data) return <Saved warnings={send.data.warnings} />
  return (
    <>
      <DrawerBody>
        <Note>{t('away.note')}</Note>
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
        </div>
        <SelectField
          label={t('away.deputy')}
          value={deputy}
          onChange={setDeputy}
          hint={t('away.deputyNote')}
          options={[
            { value: NOBODY, label: t('away.nobody') },
            ...(data?.list ?? []).filter((each) => each.user_id !== member.user_id).map((each) => ({ value: each.user_id, label: each.nick_name })),
          ]}
        />
        <TextField label={t('remark')} value={note} onChange={setNote} rows={2} count={REMARK_LIMIT} />
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('cancel')}</Button>
        <Button variant="primary" disabled={from === undefined || to === undefined || to <= from} loading={send.isPending} onClick={save}>
          {t('away.do')}
        </Button>
      </DrawerFooter>
    </>
  )
}

/** It is said, and what nobody can complete meanwhile. */
function Saved({ warnings }: { warnings: readonly string[] }) {
  const { t } = useTranslation('teamMember')
  const { close } = useDrawerPage()
  return (
    <>
      <DrawerBody>
        <Note tone="warn" title={t('away.breaks')}>
          <ul className="hf-bullets">
            {warnings.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Note>
      </DrawerBody>
      <DrawerFooter>
        <Button variant="primary" onClick={() => close()}>
          {t('away.understood')}
        </Button>
      </DrawerFooter>
    </>
  )
}
