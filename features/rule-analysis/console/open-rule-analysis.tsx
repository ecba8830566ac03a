import { Button, DrawerBody, IconChart, lazyDrawerBody, useDrawers } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { RulesDraft } from '@holdfast/features/rule-draft/contract'

const Analysis = lazyDrawerBody(() => import('./rule-analysis.tsx').then((module) => module.RuleAnalysis))

const WIDTH = 900

/** Opens what rules cover, leave open, share and never decide on: of a draft, or of the rules in force. */
export function OpenRuleAnalysis({ draft }: { draft?: RulesDraft }) {
  const { t } = useTranslation('strategyEngine')
  const drawers = useDrawers()
  const body = <DrawerBody>{draft ? <Analysis draft={draft} /> : <Analysis />}</DrawerBody>
  return (
    <Button icon={<IconChart />} onClick={() => void drawers.push({ title: t('analysis.title'), body }, { width: WIDTH })}>
      {t('analysis.open')}
    </Button>
  )
}
