import { type CodeScheme, codeOf, parametersOf, type PaymentCode, refuse, refuseUnmet, type WantedPayment } from '@holdfast/chain-core/payment-code'

const DECIMALS = 8

/** BIP 21: `bitcoin:<address>?amount=`. */
export const bitcoinCode: CodeScheme = {
  scheme: 'bitcoin',
  chains: /^bip122:/,
  name: 'Bitcoin',
  read: (path, query, wanted) => readBitcoin(path, parametersOf(query), wanted),
}

/** Parameters that are not known may be left out of account, unless they say that they may not. The network is for the address to tell. */
function readBitcoin(path: string, given: ReadonlyMap<string, string>, { contract }: WantedPayment): PaymentCode {
  const required = [...given.keys()].find((name) => name.startsWith('req-'))
  if (required !== undefined) return refuseUnmet(required.slice(0, 40))
  const digits = given.get('amount')
  const amount = digits === undefined ? undefined : decimalAmount(digits, DECIMALS)
  if (amount !== undefined && typeof contract === 'string') return refuse('coin')
  return codeOf(path, amount)
}

/** Decimal text of a coin in its base units, as BIP 21 writes it: no sign, no exponent, no separators. */
function decimalAmount(text: string, decimals: number): bigint {
  const [, whole = '', fraction = ''] = /^(\d{0,12})(?:\.(\d*))?$/.exec(text) ?? refuse('malformed')
  if (whole + fraction === '' || fraction.length > decimals) return refuse('malformed')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
