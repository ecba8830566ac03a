import { Button, Label, Note } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isNamed } from '@holdfast/features/rule-draft/console'
import type { DraftHandle } from '../draft/use-draft.ts'
import { type Rules, type RulesView, useNames } from '../draft/use-rules.ts'
import { RuleSentence } from '../words/rule-card.tsx'

type MoveOverProps = { rules: Rules; handle: DraftHandle; moveOver: NonNullable<RulesView['move_over']> }

/** Offers the rules of the first forms as rules with names and conditions, each beside what it says now. */
export function MoveOver({ rules, handle, moveOver }: MoveOverProps) {
  const { t } = useTranslation('strategyEngine')
  const [isOpen, setOpen] = useState(false)
  const names = useNames(rules.known, moveOver.draft)
  const translated = moveOver.draft.rules.filter(isNamed)
  if (translated.length === 0) return null
  return (
    <section className="hf-panel hf-stack hf-move-over" aria-labelledby="move-over">
      <div className="hf-spread">
        <div className="hf-grow">
          <h2 id="move-over">{t('rules.move.title')}</h2>
          <p className="hf-muted">{t('rules.move.text')}</p>
        </div>
        <span className="hf-row-tight">
          <Button onClick={() => setOpen(!isOpen)}>{t(isOpen ? 'rules.move.hide' : 'rules.move.compare')}</Button>
          <Button variant="primary" onClick={() => handle.change(moveOver.draft)}>
            {t('rules.move.take')}
          </Button>
        </span>
      </div>
      {isOpen && (
        <ul className="hf-move-pairs">
          {translated.map((rule) => {
            const before = rules.view.rules.find((each) => each.id === rule.id)
            return (
              <li key={rule.id} className="hf-move-pair">
                <div className="hf-stack-tight">
                  <h3 className="hf-small hf-muted">{t('rules.move.now')}</h3>
                  <p>{before && <Label text={before.sentence} wrap />}</p>
                </div>
                <div className="hf-stack-tight">
                  <h3 className="hf-small hf-muted">{t('rules.move.then')}</h3>
                  <strong>
                    <Label text={rule.name} wrap />
                  </strong>
                  <RuleSentence rule={rule} names={names} />
                </div>
              </li>
            )
          })}
        </ul>
      )}
      {moveOver.kept.length > 0 && (
        <Note title={t('rules.move.kept')}>
          <ul className="hf-bullets">
            {moveOver.kept.map(({ id, why }) => (
              <li key={id}>
                <Label text={t('rules.review.inRule', { name: id, text: why })} wrap />
              </li>
            ))}
          </ul>
        </Note>
      )}
    </section>
  )
}
