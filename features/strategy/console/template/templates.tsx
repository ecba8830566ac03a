import { useEndpoint } from '@holdfast/client'
import { Button, lazyDrawerBody, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { listTemplates } from '../../contract.ts'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'
import type { DraftHandle } from '../draft/use-draft.ts'
import type { Rules } from '../draft/use-rules.ts'

const TemplateDrawer = lazyDrawerBody(() => import('./template-drawer.tsx').then((module) => module.TemplateDrawer))

/** Rules to begin with, for whoever has none with names yet: amounts are filled in, and the rest is there. */
export function Templates({ rules, handle }: { rules: Rules; handle: DraftHandle }) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const { data } = useEndpoint(listTemplates, {})
  if (!data || data.length === 0) return null
  const open = (id: string, name: string) =>
    void drawers
      .push({ title: name, body: <TemplateDrawer rules={rules} id={id} /> }, { width: 900, maskClosable: false })
      .then((made) => made && handle.change(made as RulesDraft))
  return (
    <section className="hf-stack-tight" aria-labelledby="rule-templates">
      <div>
        <h2 id="rule-templates">{t('rules.template.title')}</h2>
        <p className="hf-small hf-muted">{t('rules.template.lead')}</p>
      </div>
      <ul className="hf-rule-templates">
        {data.map(({ id, name, text }) => (
          <li key={id} className="hf-panel hf-rule-template">
            <h3>{name}</h3>
            <p className="hf-muted">{text}</p>
            <ol className="hf-rule-tiers">
              {(['small', 'large', 'rest'] as const).map((tier) => (
                <li key={tier}>
                  <strong>{t(`rules.template.tier.${tier}`)}</strong>
                  <span className="hf-small hf-muted">{t(`rules.template.tierText.${tier}`)}</span>
                </li>
              ))}
            </ol>
            <div>
              <Button onClick={() => open(id, name)}>{t('rules.template.use')}</Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
