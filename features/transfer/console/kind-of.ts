import type { TFunction } from 'i18next'
import type { Row } from './row.ts'

/** What a transaction is called: an order about stake by what it does, a call of a contract as one. */
export function kindOf({ type, call, stake }: Pick<Row, 'type' | 'call' | 'stake'>, t: TFunction): string {
  return stake ? t(`transfer.stake.${stake.action}`, { defaultValue: stake.action }) : t(`transfer.type.${call ? 'web3' : type}`)
}
