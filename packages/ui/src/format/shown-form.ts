import { exactAmount, MISSING, summaryAmount } from './format-number.ts'

export type ShownAmount = {
  text: string
  /** Every digit, where the text has fewer; for hovering. */
  exact: string | undefined
}

/** How an amount is shown: in short only where that is asked for and no money moves. */
export function shownAmount(value: string | null | undefined, { summary, moneyMoves }: { summary: boolean; moneyMoves: boolean }): ShownAmount {
  const exact = exactAmount(value)
  if (!summary || moneyMoves || exact === MISSING) return { text: exact, exact: undefined }
  return { text: summaryAmount(value), exact }
}
