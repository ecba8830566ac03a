import type { OutputOf } from '@holdfast/contract'
import { Grouped, Label } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { checkAddress } from '../contract.ts'

type Permissions = NonNullable<OutputOf<typeof checkAddress>['control']>['permissions']

/** Who may sign for an address, permission by permission; their names are a stranger's text. */
export function ControlFacts({ permissions }: { permissions: Permissions }) {
  const { t } = useTranslation()
  return permissions.map(({ name, threshold, keys }, i) => (
    <div key={`${name} ${i}`} className="hf-similar">
      <p className="hf-small">
        <Label text={t('withdrawal.permission', { name, threshold })} />
      </p>
      {keys.map(({ address, weight }) => (
        <p key={address} className="hf-small">
          <Grouped text={address} /> · {t('withdrawal.weight', { weight })}
        </p>
      ))}
    </div>
  ))
}
