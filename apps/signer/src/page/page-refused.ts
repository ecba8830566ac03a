import { CodedRefusal, type RefusalOf } from '@holdfast/intent'
import { MOMENT_FAULTS } from '../state/approver-counters.ts'

/** Why a signer does not do what its page asks of it, by code. */
export const PAGE_REFUSALS = {
  ...MOMENT_FAULTS,
  'page-no-object': 'The body is not a JSON object.',
  'page-other-fields': 'Give exactly these texts: {fields}.',
  'page-unreadable': 'The bytes are not what they claim to be.',
  'page-no-setup': 'The server gave no set-up.',
  'page-not-in-genesis': 'The founding document the server gave does not name this signer. Do not accept it.',
  'page-no-link': 'The server gave no such link.',
  'page-strange-link': 'This signer has not pinned the organisation of this link.',
  'page-order-name': 'An order is named by 64 hexadecimal digits.',
  'page-other-order': 'The server gave another order than the one asked for.',
  'page-strange-order': 'This signer has not pinned the organisation of this order.',
  'page-earlier-policy': 'The order was made under another policy version than the one in force. Ask for a new order.',
  'page-challenge': 'A challenge has 64 hexadecimal digits.',
  'page-strange-organisation': 'This signer has not pinned that organisation.',
  'page-in-force': 'This change of the policy is in force already.',
  'page-too-late': 'This signer has told the others already that it follows this order: a rejection comes too late here.',
  'page-delegation-ended': '{name} has ended that somebody decides in their place, or has named somebody again since.',
  'page-server-silent': 'The server refused this without a reason.',
} as const

/** What whoever uses the page is told. */
export class PageRefused extends CodedRefusal<typeof PAGE_REFUSALS> {
  override name = 'PageRefused'

  constructor(refusal: RefusalOf<typeof PAGE_REFUSALS>, options?: ErrorOptions) {
    super(PAGE_REFUSALS, refusal, options)
  }
}
