import { useTranslation } from 'react-i18next'
import { rightsByArea } from './rights-by-area.ts'

/** What a member may do here, area by area, in words. */
export function Rights({ permissions }: { permissions: readonly string[] }) {
  const { t } = useTranslation('teamMember')
  const nameOf = (kind: 'area' | 'act', key: string) => t(`right.${kind}.${key}`, { defaultValue: key })
  return (
    <dl className="hf-rights">
      {rightsByArea(permissions).map(({ area, acts }) => (
        <div key={area}>
          <dt>{nameOf('area', area)}</dt>
          <dd className="hf-small hf-muted">{acts.map((act) => nameOf('act', act)).join(t('comma'))}</dd>
        </div>
      ))}
    </dl>
  )
}
