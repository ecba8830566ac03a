import { Label } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import type { Checked } from './rule-analysis.tsx'

/** By amounts of each asset, which rules decide; and what each rule decides on, in words. */
export function Coverage({ found: { assets, coverage } }: { found: Checked }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <section className="hf-panel hf-stack-tight">
      <h3>{t('analysis.coverage')}</h3>
      <p className="hf-small hf-muted">{t('analysis.coverageNote')}</p>
      <ul className="hf-analysis-assets">
        {alike(assets).map(({ key, networks, bands }) => (
          <li key={key}>
            {networks.map(({ network, symbols }) => (
              <p key={network} className="hf-analysis-asset">
                <strong>
                  <Label text={symbols.join(', ')} wrap />
                </strong>
                <span className="hf-small hf-muted">{network}</span>
              </p>
            ))}
            <ol className="hf-analysis-bands">
              {bands.map((band) => (
                <Band key={band.text} band={band} />
              ))}
            </ol>
          </li>
        ))}
      </ul>
      {coverage.length > 0 && (
        <details>
          <summary>{t('analysis.byRule')}</summary>
          <ul className="hf-analysis-lines">
            {coverage.map(({ rule, decides, more }) => (
              <li key={rule.id}>
                <strong>
                  <Label text={rule.name} wrap />
                </strong>
                {decides.map((text) => (
                  <span key={text}>{text}</span>
                ))}
                {more > 0 && <span className="hf-small hf-muted">{t('analysis.parts', { count: more })}</span>}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

/** Assets on which the same rules decide by the same amounts, together. */
function alike(assets: Checked['assets']) {
  return [...Map.groupBy(assets, ({ bands }) => JSON.stringify(bands))].map(([key, same]) => ({
    key,
    bands: same[0]?.bands ?? [],
    networks: [...Map.groupBy(same, ({ network }) => network)].map(([network, of]) => ({ network, symbols: of.map(({ symbol }) => symbol) })),
  }))
}

/** Amounts between two borders: the rules that decide in the order in which they are asked, and whether something is left. */
function Band({ band: { text, rules, has_gap } }: { band: Checked['assets'][number]['bands'][number] }) {
  const { t } = useTranslation('strategyEngine')
  return (
    <li className="hf-analysis-band">
      <span className="hf-small hf-muted">{text === '' ? t('analysis.anyAmount') : text}</span>
      {rules.map(({ id, name, action }) => (
        <span key={id} className={`hf-analysis-rule hf-analysis-${action}`}>
          <Label text={name} wrap /> <span className="hf-small">{t(`analysis.action.${action}`)}</span>
        </span>
      ))}
      {has_gap && <span className="hf-analysis-rule hf-analysis-gap">{rules.length === 0 ? t('analysis.refusedAll') : t('analysis.refusedRest')}</span>}
    </li>
  )
}
