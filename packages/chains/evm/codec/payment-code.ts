import {
  type CodeScheme,
  codeOf,
  parametersOf,
  type PaymentCode,
  refuse,
  refuseNetwork,
  type WantedPayment,
  wholeNumber,
} from '@holdfast/chain-core/payment-code'

/** ERC-681: a payment in the network's coin, or the `transfer` of a token. */
export const evmCode: CodeScheme = {
  scheme: 'ethereum',
  chains: /^eip155:/,
  name: 'Ethereum',
  read: (path, query, wanted) => readEthereum(path, parametersOf(query), wanted),
}

/** What it asks for besides a payment that is understood whole makes it another thing, so nothing is left out of account but gas. */
function readEthereum(path: string, given: ReadonlyMap<string, string>, wanted: WantedPayment): PaymentCode {
  const [, target = '', , chain, , called] = /^(?:pay-)?([^@/]*)(@(\d{1,30}))?(\/(.*))?$/s.exec(path) ?? refuse('malformed')
  if (chain !== undefined && `eip155:${BigInt(chain)}` !== wanted.chain) return refuseNetwork(`EVM ${BigInt(chain)}`)
  const asked = [...given.keys()].filter((name) => !/^gas(limit|price)?$/.test(name))
  if (called === undefined) {
    if (asked.some((name) => name !== 'value')) return refuse('call')
    const value = numberOf(given.get('value'))
    if (value !== undefined && typeof wanted.contract === 'string') return refuse('coin')
    return codeOf(evmAddress(target), value)
  }
  if (called !== 'transfer' || asked.some((name) => name !== 'address' && name !== 'uint256')) return refuse('call')
  if (wanted.contract !== undefined && wanted.contract?.toLowerCase() !== evmAddress(target).toLowerCase()) return refuse('coin')
  return codeOf(evmAddress(given.get('address') ?? ''), numberOf(given.get('uint256')))
}

const numberOf = (digits: string | undefined): bigint | undefined => (digits === undefined ? undefined : wholeNumber(digits))

function evmAddress(text: string): string {
  if (/^0x[0-9a-f]{40}$/i.test(text)) return text
  return refuse(text.includes('.') ? 'name' : 'malformed')
}
