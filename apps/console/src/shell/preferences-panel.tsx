import { FiatField, useFiat } from '@holdfast/features/price/console'
import { Checkbox, letterKeys, type Locale, SelectField, type ThemeChoice, useLetterKeys, useLocale, useTheme } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '../i18n/start-translation.ts'

const LANGUAGES: readonly { value: Locale; label: string }[] = [
  { value: 'en-US', label: 'English' },
  { value: 'zh-CN', label: '简体中文' },
]
const THEMES: readonly ThemeChoice[] = ['light', 'dark', 'system']

/** How the console looks and listens for this person, in this browser. */
export function PreferencesPanel() {
  const { t, i18n } = useTranslation()
  const locale = useLocale()
  const { choice, choose } = useTheme()
  const { fiat, choose: chooseFiat } = useFiat()
  const hasLetterKeys = useLetterKeys()
  return (
    <section className="hf-panel hf-stack" aria-labelledby="preferences">
      <h2 id="preferences">{t('settings.preferences.title')}</h2>
      <p className="hf-muted">{t('settings.preferences.note')}</p>
      <div className="hf-settings-fields">
        <SelectField
          label={t('settings.preferences.language')}
          value={locale}
          options={LANGUAGES}
          onChange={(next) => void changeLanguage(i18n, LANGUAGES.find(({ value }) => value === next)?.value ?? locale)}
        />
        <SelectField
          label={t('settings.preferences.theme')}
          value={choice}
          options={THEMES.map((value) => ({ value, label: t(`console.theme.${value}`) }))}
          onChange={(next) => choose(THEMES.find((each) => each === next) ?? choice)}
        />
        <FiatField value={fiat} onChange={chooseFiat} />
      </div>
      <div className="hf-stack-tight">
        <Checkbox checked={hasLetterKeys} onChange={letterKeys.set}>
          {t('settings.preferences.letters')}
        </Checkbox>
        <p className="hf-small hf-muted">{t('settings.preferences.lettersNote')}</p>
      </div>
    </section>
  )
}
