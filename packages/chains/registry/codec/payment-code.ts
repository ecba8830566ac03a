import { bitcoinCode } from '@holdfast/chain-bitcoin/payment-code'
import { type CodeFault, type CodeScheme, type PaymentCode, readCode, type WantedPayment } from '@holdfast/chain-core/payment-code'
import { evmCode } from '@holdfast/chain-evm/payment-code'
import { tonCode } from '@holdfast/chain-ton/payment-code'
import { tronCode } from '@holdfast/chain-tron/payment-code'
import type { Family } from './families.ts'

/** How each family writes codes of a payment; null if it does not. They stand apart from the codecs, so that a page that scans a code carries none of these. */
const SCHEMES: Record<Family, CodeScheme | null> = { bitcoin: bitcoinCode, evm: evmCode, ton: tonCode, tron: tronCode }

/**
 * Reads what a QR code says of a payment on the wanted network: an address alone, or a payment in the form of a family. Never throws. An amount is answered
 * only if the code says it is of the wanted coin.
 */
export function readPaymentCode(text: string, wanted: WantedPayment): PaymentCode | CodeFault {
  const schemes = Object.values(SCHEMES).filter((each) => each !== null)
  return readCode(schemes, text, wanted)
}
