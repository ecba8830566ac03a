import { MISSING } from '../format/format-number.ts'
import { plainText } from '../format/hostile-text.ts'
import { useMoneyMoves } from '../format/money-moves.ts'
import { shownAmount } from '../format/shown-form.ts'
import { Hint } from '../base/hint.tsx'

type AmountProps = {
  /** Decimal text; `--` is shown where it is missing. */
  value: string | null | undefined
  unit?: string | undefined
  /** The short form with the exact one on hover. Never where money moves. */
  summary?: boolean
  /** Larger digits, for the one number of a page. */
  large?: boolean
}

const UNIT_LIMIT = 24

/** An amount: every digit, its unit dimmed, digits of equal width. Where money moves it is never short, whatever is asked for. */
export function Amount({ value, unit, summary = false, large }: AmountProps) {
  const { text, exact } = shownAmount(value, { summary, moneyMoves: useMoneyMoves() })
  // A token calls itself what it likes.
  const symbol = unit === undefined ? undefined : plainText(unit, UNIT_LIMIT)
  const body = (
    <span className={large ? 'hf-amount hf-amount-large' : 'hf-amount'}>
      <span className="hf-amount-digits">{text}</span>
      {symbol !== undefined && text !== MISSING && <bdi className="hf-amount-unit">{symbol}</bdi>}
    </span>
  )
  if (exact === undefined) return body
  return <Hint text={<span className="hf-numbers">{symbol === undefined ? exact : `${exact} ${symbol}`}</span>}>{body}</Hint>
}
