import { AppError } from '@holdfast/contract'
import { AmountTextFault, formatAmount, parseAmount } from '@holdfast/units'
import { type Asking, demandField, fieldOf } from './asking.ts'

/** An amount in one spelling: the wire signs it without zeros at its end. */
export const plain = (amount: string): string => (amount.includes('.') ? amount.replace(/0+$/, '').replace(/\.$/, '') : amount)

type Fields = Pick<Asking, 'fields'>

/** `gas_price` in Gwei times `gas_limit`, or times what the limit is now where a program leaves it as it is. */
export const gasFee = (asking: Fields, decimals: number, limitNow?: bigint): string => {
  const isKept = limitNow !== undefined && fieldOf(asking, 'gas_limit') === undefined
  return formatAmount(priceOf(asking, 'gas_price', 9) * (isKept ? limitNow : countOf(asking, 'gas_limit', 'gas_price')), decimals)
}

/** `fee_rate`, in base units for a byte, times `size`. */
export function sizeFee(asking: Fields, decimals: number): string {
  const thousandths = priceOf(asking, 'fee_rate', 3) * countOf(asking, 'size', 'fee_rate')
  return formatAmount((thousandths + 999n) / 1000n, decimals)
}

function priceOf(asking: Fields, field: string, decimals: number): bigint {
  try {
    return parseAmount(demandField(asking, field), decimals)
  } catch (cause) {
    if (cause instanceof AmountTextFault) throw notANumber(field, cause)
    throw cause
  }
}

function countOf(asking: Fields, name: string, field: string): bigint {
  const text = demandField(asking, name)
  if (!/^\d{1,12}$/.test(text)) throw notANumber(field)
  return BigInt(text)
}

const notANumber = (field: string, cause?: unknown) =>
  new AppError('invalid_parameters', { details: { field, reason: 'it must be a whole number' }, ...(cause === undefined ? {} : { cause }) })
