import { useFiat } from '@holdfast/features/price/console'
import { Amount, exactMoney, Hint, MISSING, priceMoney, summaryMoney } from '@holdfast/ui'
import { useTranslation } from 'react-i18next'
import { useAmountsHidden } from './amounts-hidden.ts'

const VEIL = '••••'

/** Dots in the place of an amount that others must not see. */
function Veiled() {
  const { t } = useTranslation()
  return (
    <span className="hf-veiled">
      <span aria-hidden>{VEIL}</span>
      <span className="hf-visually-hidden">{t('wallet.money.hidden')}</span>
    </span>
  )
}

type WorthProps = {
  /** Decimal text in the currency that values are shown in; `--` if it is not known. */
  value: string | null
  /** Only a part of the holdings has a price. */
  isPartial?: boolean
  large?: boolean
}

/** A value in the chosen currency: two decimals, the exact one on hover. Unknown is `--`, never 0. */
export function Worth({ value, isPartial, large }: WorthProps) {
  const { t } = useTranslation()
  const { fiat } = useFiat()
  const [hidden] = useAmountsHidden()
  if (hidden) return <Veiled />
  const shown = summaryMoney(value, fiat)
  if (shown === MISSING)
    return (
      <span className={large ? 'hf-amount-large' : 'hf-faint'} title={t('wallet.money.unknown')}>
        {MISSING}
      </span>
    )
  const exact = `${isPartial ? `${t('wallet.money.atLeast')} ` : ''}${exactMoney(value, fiat)}`
  return (
    <Hint text={<span className="hf-numbers">{exact}</span>}>
      <span className={large ? 'hf-amount hf-amount-large' : 'hf-amount'}>
        <span className="hf-amount-digits">
          {isPartial && '≥ '}
          {shown}
        </span>
      </span>
    </Hint>
  )
}

/** The price of one coin in the chosen currency. Prices are no secret. */
export function Price({ value }: { value: string | null }) {
  const { fiat } = useFiat()
  const shown = priceMoney(value, fiat)
  if (shown === MISSING) return <span className="hf-faint">{MISSING}</span>
  return (
    <span className="hf-numbers hf-nowrap" title={value === null ? undefined : exactMoney(value, fiat)}>
      {shown}
    </span>
  )
}

/** A change in percent, with its sign and a colour. */
export function Change({ percent }: { percent: string | null }) {
  if (percent === null) return <span className="hf-faint">{MISSING}</span>
  const isDown = percent.startsWith('-')
  const isFlat = !/[1-9]/.test(percent)
  return (
    <span className={`hf-numbers hf-nowrap ${isFlat ? 'hf-muted' : isDown ? 'hf-change-down' : 'hf-change-up'}`}>
      {isFlat ? '' : isDown ? '−' : '+'}
      {percent.replace('-', '')}%
    </span>
  )
}

/** An amount of a coin that can be hidden: every digit, or in a summary two decimals with the exact ones on hover. Zero is shown faintly. */
export function CoinAmount({ value, unit, summary = false }: { value: string; unit?: string; summary?: boolean }) {
  const [hidden] = useAmountsHidden()
  if (hidden) return <Veiled />
  return /[1-9]/.test(value) ? <Amount value={value} unit={unit} summary={summary} /> : <span className="hf-faint hf-numbers">0</span>
}
