import { AppError } from '@holdfast/contract'
import { AmountTextFault, parseAmount } from '@holdfast/units'

/** An amount as it was typed, in base units of an asset. Throws `exceeds_precision` and `amount_error`. */
export function amountOf(given: string, { decimals }: { readonly decimals: number }): bigint {
  try {
    return parseAmount(given, decimals)
  } catch (cause) {
    if (!(cause instanceof AmountTextFault)) throw cause
    const isTooPrecise = (given.split('.')[1]?.length ?? 0) > decimals
    throw isTooPrecise ? new AppError('exceeds_precision', { cause, details: { decimals } }) : new AppError('amount_error', { cause })
  }
}
