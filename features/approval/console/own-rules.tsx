import { listOwnStrategies } from '@holdfast/features/policy/contract'
import { useEndpoint } from '@holdfast/client'
import { useTranslation } from 'react-i18next'

/** The rules of the policy by which the reader requests or approves: why something comes to them, or never does. */
export function OwnRules() {
  const { t } = useTranslation()
  const { data } = useEndpoint(listOwnStrategies, {})
  if (!data) return null
  const part = (rule: (typeof data)[number]) => {
    if (rule.my_node === null) return t('approval.rules.ask')
    return t(rule.may_ask ? 'approval.rules.both' : 'approval.rules.approve', { need: rule.my_node.need, of: rule.my_node.of })
  }
  return (
    <details className="hf-own-rules">
      <summary>{t('approval.rules.title', { count: data.length })}</summary>
      {data.length === 0 ? (
        <p className="hf-muted">{t('approval.rules.none')}</p>
      ) : (
        <ul className="hf-stack">
          {data.map((rule) => (
            <li key={rule.strategy_id} className="hf-stack-tight">
              <strong>{part(rule)}</strong>
              <span className="hf-small hf-muted hf-break">{rule.scope}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}
