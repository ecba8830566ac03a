import { type CodeScheme, codeOf, parametersOf, type PaymentCode, refuse, type WantedPayment } from '@holdfast/chain-core/payment-code'

/** `tron:<address>`. */
export const tronCode: CodeScheme = {
  scheme: 'tron',
  chains: /^tron:/,
  name: 'TRON',
  read: (path, query, wanted) => readTron(path, parametersOf(query), wanted),
}

/** There is no standard of this form: wallets agree on the address and on nothing else, and write amounts in the coin or in its millionths. */
function readTron(path: string, given: ReadonlyMap<string, string>, { contract }: WantedPayment): PaymentCode {
  const { amount, token, contract: named, ...others } = Object.fromEntries(given)
  const asked = token ?? named
  if (asked !== undefined && contract !== undefined && asked !== contract) return refuse('coin')
  if (Object.keys(others).some((name) => name !== 'label' && name !== 'message')) return refuse('call')
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(path)) return refuse('call')
  return { ...codeOf(path, undefined), ...(amount === undefined || contract === undefined ? {} : { hasUnclearAmount: true }) }
}
