import type { TFunction } from 'i18next'
import type { Row } from './row.ts'

/**
 * What a transaction is called: one about a payment by what it does to that, an order about stake by what it does, a call of a contract or what lifts a
 * deposit as one.
 */
export function kindOf({ type, purpose = 'pay', call, lifts, stake }: Pick<Row, 'type' | 'purpose' | 'call' | 'lifts' | 'stake'>, t: TFunction): string {
  if (purpose !== 'pay') return t(`transaction.type.${purpose}`)
  if (stake) return t(`transaction.stake.${stake.action}`, { defaultValue: stake.action })
  return t(`transaction.type.${lifts !== undefined ? 'cpfp' : call ? 'web3' : type}`)
}
