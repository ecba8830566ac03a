import { useEndpoint, useSend } from '@holdfast/client'
import { usePermission } from '@holdfast/features/session/console'
import { Amount, Button, Note, ShortAddress } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { askAgain, listClosedByPolicy } from '../contract.ts'

/** Payments of the caller that a change of the policy closed, and one button that asks for all of them once more. Nothing where there are none. */
export function ClosedPayments() {
  const { t } = useTranslation()
  const mayAsk = usePermission('withdraw.create')
  const { data } = useEndpoint(listClosedByPolicy, {}, { enabled: mayAsk })
  const again = useSend(askAgain)
  const count = data?.list.length ?? 0
  const refused = again.data?.refused ?? []
  if (!mayAsk || (count === 0 && refused.length === 0)) return null
  return (
    <div className="hf-home-part">
      <Note tone="warn" title={t('withdrawal.closed.title', { count })}>
        <div className="hf-stack-tight">
          <p>{t('withdrawal.closed.text')}</p>
          <ul>
            {(refused.length > 0 ? refused.map((each) => ({ ...each, why: each.msg })) : (data?.list ?? []).map((each) => ({ ...each, why: undefined }))).map(
              ({ id, amount, symbol, address_to: to, why }) => (
                <li key={id}>
                  <Amount value={amount} unit={symbol} /> <ShortAddress address={to} /> {why !== undefined && <span className="hf-muted">{why}</span>}
                </li>
              ),
            )}
          </ul>
          {refused.length > 0 && <p>{t('withdrawal.closed.refused')}</p>}
          <div>
            <Button size="small" loading={again.isPending} onClick={() => again.mutate({})}>
              {t('withdrawal.closed.again')}
            </Button>
          </div>
        </div>
      </Note>
    </div>
  )
}
