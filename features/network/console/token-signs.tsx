import type { OutputOf } from '@holdfast/contract'
import { Note } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { getTokenMark } from '../contract.ts'

/** What tells that balances of a token differ from what it logs, what was looked at, and what that cannot see. */
export function TokenSigns({ signs }: { signs: OutputOf<typeof getTokenMark>['signs'] }) {
  const { t } = useTranslation()
  if (signs === null) return <Note tone="info">{t('network.signs.unknown')}</Note>
  const { functions, compared, differing } = signs
  const found = [
    ...(differing > 0 ? [t('network.signs.differ', { compared, differing })] : []),
    ...(['rebase', 'fee'] as const).flatMap((kind) => {
      const names = functions.filter((each) => each.kind === kind).map(({ name }) => name)
      return names.length === 0 ? [] : [t(`network.signs.${kind}`, { names: names.join(', ') })]
    }),
  ]
  return (
    <Note tone={found.length > 0 ? 'bad' : 'info'} title={t(found.length > 0 ? 'network.signs.found' : 'network.signs.none')}>
      {found.map((words) => (
        <p key={words} className="hf-break">
          {words}
        </p>
      ))}
      <p>{t(compared === 0 ? 'network.signs.noneCompared' : 'network.signs.compared', { count: compared })}</p>
    </Note>
  )
}
