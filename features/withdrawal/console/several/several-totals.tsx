import { Amount, Facts, Note } from '@holdfast/ui'
import { formatAmount, parseAmount } from '@holdfast/units'
import { useTranslation } from 'react-i18next'
import { unitOf } from '../draft.ts'
import { Worth } from '../worth.tsx'
import type { SeveralCoin } from './several-coin.ts'

/** What all lines come to, beside what there is. */
export function SeveralTotals({ coin, total, all, ready }: { coin: SeveralCoin; total: string; all: number; ready: number }) {
  const { t } = useTranslation()
  const unit = unitOf(coin)
  const left = parseAmount(coin.normal_balance, coin.decimals) - parseAmount(total, coin.decimals)
  return (
    <>
      <Facts
        facts={[
          { label: t('withdrawal.several.count'), value: ready === all ? all : t('withdrawal.several.readyOf', { ready, all }) },
          {
            label: t('withdrawal.several.total'),
            value: (
              <span className="hf-row-tight">
                <Amount value={total} unit={unit} /> <Worth amount={total} price={coin.price} />
              </span>
            ),
          },
          { label: t('withdrawal.several.available'), value: <Amount value={coin.normal_balance} unit={unit} /> },
          left < 0n ? undefined : { label: t('withdrawal.several.rest'), value: <Amount value={formatAmount(left, coin.decimals)} unit={unit} /> },
        ]}
      />
      {left < 0n && <Note tone="bad">{t('withdrawal.several.tooMuch', { missing: `${formatAmount(-left, coin.decimals)} ${unit}` })}</Note>}
    </>
  )
}
