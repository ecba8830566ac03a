import { useEndpoint } from '@holdfast/client'
import { ErrorState, Label, LoadingState, StatusTag } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listBasic } from '../../contract.ts'

/** What decides over each sub-wallet where no higher rule does, in force now; asked for when somebody wants to see it. */
export function BySubWallet() {
  const { t } = useTranslation('strategyEngine')
  const [isOpen, setOpen] = useState(false)
  return (
    <details className="hf-details" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('rules.bySub.title')}</summary>
      {isOpen && <Rows />}
    </details>
  )
}

function Rows() {
  const { t } = useTranslation('strategyEngine')
  const { data, error, refetch } = useEndpoint(listBasic, {})
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState rows={3} />
  if (data.length === 0) return <p className="hf-small hf-muted">{t('rules.bySub.none')}</p>
  return (
    <ul className="hf-stack">
      {data.map(({ sub_wallet_id: id, sub_wallet: name, wallet, strategy_id: rule, name: ruleName, sentence, is_shared: isShared, audit_status: status }) => (
        <li key={id} className="hf-stack-tight">
          <span className="hf-row-tight">
            <Label text={`${wallet} / ${name}`} />
            {isShared && <span className="hf-small hf-muted">{t('rules.bySub.shared')}</span>}
            {status !== 'none' && <StatusTag tone="warn" text={t(`rules.bySub.open.${status}`)} />}
          </span>
          {rule === null || sentence === null ? (
            <span className="hf-small hf-muted">{t('rules.bySub.nothing')}</span>
          ) : (
            <span className="hf-small">
              <Link to={`/mpc/strategyEngine/senior/strategyDetail?id=${encodeURIComponent(rule)}`}>
                <Label text={ruleName ?? rule} />
              </Link>{' '}
              {sentence}
            </span>
          )}
        </li>
      ))}
    </ul>
  )
}
