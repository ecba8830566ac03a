import type { CoversDraft } from '@holdfast/features/rule-draft/contract'
import { networkName } from '@holdfast/features/rule-draft/console'
import type { Names } from './rule-words.ts'
import { GAP, grouped, list, spanWords, symbolOf } from './sentence.ts'

type Trades = Extract<CoversDraft, { kind: 'trades' }>

/** Which trades a rule is about, as the beginning of its sentence; one that refuses says nothing of bounds. */
export function tradeWords(names: Names, { chain, router, gives, gets, slippage_percent: slippage, deadline_s: deadline }: Trades, refuses: boolean): string {
  const { t, known } = names
  const given = gives.map(({ asset, at_most: most }) => {
    const symbol = symbolOf(names, chain, asset)
    return refuses ? t('rules.say.anyAmount', { symbol }) : t('rules.say.upTo', { most: most ? grouped(most) : GAP, symbol })
  })
  const got = gets.map((asset) => symbolOf(names, chain, asset))
  const at = router.trim() === '' ? GAP : `${router.trim().slice(0, 6)}…${router.trim().slice(-6)}`
  const about = t('rules.say.trade', { given: list(names, given), got: list(names, got), router: at, network: networkName(known, chain) })
  if (refuses) return about
  return [
    t('rules.say.tradeSlippage', { percent: slippage ? slippage : GAP }),
    deadline === null ? t('rules.say.tradeAnyDeadline') : t('rules.say.tradeDeadline', { span: spanWords(names, deadline) }),
  ].reduce((one, other) => t('rules.say.join', { one, other }), about)
}
