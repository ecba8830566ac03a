import { useEndpoint, useSend } from '@holdfast/client'
import type { OutputOf } from '@holdfast/contract'
import { usePermission } from '@holdfast/features/session/console'
import { Amount, Button, Note, ShortAddress } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { askAgain, listClosedByPolicy } from '../contract.ts'
import { askAllAgain } from './ask-all-again.ts'

type Closed = OutputOf<typeof listClosedByPolicy>
const NONE: Closed = { list: [], total: 0 }

/** Payments of the caller that a change of the policy closed, and one button that asks for all of them once more. Nothing where there are none. */
export function ClosedPayments() {
  const { t } = useTranslation()
  const mayAsk = usePermission('withdraw.create')
  const { data = NONE } = useEndpoint(listClosedByPolicy, {}, { enabled: mayAsk })
  const again = useSend(askAgain)
  // While they are asked for one after another, the note stays as it was.
  const [underway, setUnderway] = useState<Closed>()
  const [refused, setRefused] = useState<OutputOf<typeof askAgain>['refused']>([])
  const { list, total } = underway ?? data
  if (!mayAsk || (total === 0 && refused.length === 0)) return null
  const askAll = async () => {
    setUnderway(data)
    setRefused(await askAllAgain((input) => again.mutateAsync(input).catch(() => undefined)))
    setUnderway(undefined)
  }
  const shown = refused.length > 0 ? refused.map((each) => ({ ...each, why: each.msg })) : list.map((each) => ({ ...each, why: undefined }))
  return (
    <div className="hf-home-part">
      <Note tone="warn" title={t('withdrawal.closed.title', { count: total })}>
        <div className="hf-stack-tight">
          <p>{t('withdrawal.closed.text')}</p>
          <ul>
            {shown.map(({ id, amount, symbol, address_to: to, why }) => (
              <li key={id}>
                <Amount value={amount} unit={symbol} /> <ShortAddress address={to} /> {why !== undefined && <span className="hf-muted">{why}</span>}
              </li>
            ))}
            {shown.length < total && <li>{t('withdrawal.closed.more', { count: total - shown.length })}</li>}
          </ul>
          {refused.length > 0 && <p>{t('withdrawal.closed.refused')}</p>}
          <div>
            <Button size="small" loading={underway !== undefined} onClick={() => void askAll()}>
              {t('withdrawal.closed.again')}
            </Button>
          </div>
        </div>
      </Note>
    </div>
  )
}
