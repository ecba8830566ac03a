import './settings.css'
import { PageHeader, Tabs } from '@holdfast/ui'
import { useContext } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { SettingsPartsContext } from './settings-parts.ts'

/** What a person sets for themselves, and what their organisation is. */
export function SettingsPage() {
  const { t } = useTranslation()
  const parts = useContext(SettingsPartsContext)
  const [search, setSearch] = useSearchParams()
  const shown = parts.find(({ key }) => key === search.get('tab')) ?? parts[0]
  return (
    <>
      <PageHeader title={t('settings.title')}>{t('settings.note')}</PageHeader>
      {shown && (
        <Tabs
          label={t('settings.title')}
          tabs={parts.map(({ key, label }) => ({ key, label: t(label.key, { ns: label.namespace }) }))}
          active={shown.key}
          onChange={(key) => setSearch(key === parts[0]?.key ? {} : { tab: key })}
        >
          <shown.Part />
        </Tabs>
      )}
    </>
  )
}
