import { toHex } from '@holdfast/encoding'
import type { Locale } from '@holdfast/intent'
import { describePolicy } from '@holdfast/policy'
import { element, row, withKeys } from './element.ts'
import { formatTime } from '../format-time.ts'
import type { Founding } from '../read/read-founding.ts'
import type { Words } from '../words/en-us.ts'

/** The founding document in words, whole, with its fingerprint last; `acceptance` stands under it. */
export function foundingSection(founding: Founding, words: Words, locale: Locale, acceptance: Node[]): Node {
  const { genesis, fingerprint } = founding
  const signers = genesis.signers.map((signer) =>
    element(
      'li',
      {},
      element('div', {}, words.setup.signer(String(signer.party), signer.name, signer.operator)),
      element('div', { class: 'dim' }, `${words.setup.signerKey} `, ...withKeys(toHex(signer.signKey))),
    ),
  )
  return element(
    'section',
    { class: 'document', 'aria-labelledby': 'document' },
    element('h2', { id: 'document' }, words.setup.document),
    element('p', { class: 'dim' }, words.setup.documentWhy),
    element(
      'dl',
      { class: 'rows' },
      ...row(words.setup.organisation, genesis.name),
      ...row(words.setup.organisationId, toHex(genesis.organisationId)),
      ...row(words.setup.createdAt, formatTime(genesis.createdAtMs)),
    ),
    element('h3', {}, words.setup.threshold(String(genesis.signers.length), String(genesis.threshold))),
    element('ul', { class: 'lines' }, ...signers),
    element('h3', {}, words.setup.policy),
    element('ul', { class: 'lines' }, ...describePolicy(genesis.policy, locale).map((line) => element('li', {}, ...withKeys(line)))),
    element('h3', { id: 'fingerprint' }, words.setup.fingerprint),
    element('p', { class: 'fingerprint', 'aria-labelledby': 'fingerprint' }, ...withKeys(toHex(fingerprint))),
    ...acceptance,
  )
}
