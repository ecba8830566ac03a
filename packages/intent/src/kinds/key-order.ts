import { bytes, type Infer, list, struct, text, toHex, uint } from '@holdfast/encoding'
import { initiatorName, ORDER_WORDS } from '../order-rows.ts'
import { type Locale, type RenderContext, type Rendering, timeInWords, wordsFor } from '../rendering.ts'
import type { IntentKind } from './intent-kind.ts'
import { identityFields } from './order-fields.ts'
import { areAscendingParties } from './parties.ts'

/** What can be done with a key whose shares stay as they are. */
const KEY_ORDER_ACTIONS = ['export', 'retire'] as const

/**
 * An order about a key that changes no share. `export`: each signer seals its share to the `recipients` named for it, beside those of the policy. `retire`: the
 * signers sign nothing with the key any more. No signer follows it before `usableFromMs`: until then anybody who governs can still say no.
 */
const keyOrderIntentShape = struct('holdfast/intent/key-order/v1', {
  ...identityFields,
  action: text(16),
  keyId: bytes(32),
  wallet: text(400),
  epoch: uint(),
  recipients: list(struct('holdfast/intent/key-order-recipients/v1', { party: uint(8), recipients: list(text(4096), 4) }), 3),
  remark: text(800),
  notBeforeMs: uint(),
  usableFromMs: uint(),
  expiresAtMs: uint(),
  policyVersion: uint(),
  policyHash: bytes(32),
  initiator: bytes(16),
  nonce: bytes(32),
})

export type KeyOrderIntent = { kind: 'keyOrder' } & Infer<typeof keyOrderIntentShape>

type KeyOrder = Omit<KeyOrderIntent, 'kind'>

/** Why an order about a key makes no sense in itself; undefined if it does. */
function keyOrderFault({ action, recipients, usableFromMs, notBeforeMs, expiresAtMs }: KeyOrder): string | undefined {
  if (!KEY_ORDER_ACTIONS.some((each) => each === action)) return `unknown action ${action}`
  if (usableFromMs < notBeforeMs || usableFromMs >= expiresAtMs) return 'the order is open at no time at which it may be followed'
  if (action === 'retire') return recipients.length === 0 ? undefined : 'a key that is retired is sealed to nobody'
  const parties = recipients.map((each) => each.party)
  if (parties.length < 2 || !areAscendingParties(parties)) return 'an export names recipients for two signers or three, in ascending order'
  return recipients.some((each) => each.recipients.length === 0) ? 'an export names a signer without anybody to seal its share to' : undefined
}

const en = {
  ...ORDER_WORDS['en-US'],
  export: (wallet: string) => `Export the key of “${wallet}”`,
  retire: (wallet: string) => `Retire the key of “${wallet}”`,
  other: (action: string, wallet: string) => `Unknown action “${action}” on the key of “${wallet}”`,
  whatHappens: 'What happens',
  exports: 'Each signer seals its share to the recipients named here. Whoever holds two of their secret keys can rebuild the whole key offline.',
  retires: 'The signers sign nothing with this key any more. Their shares are kept, and the recovery kit still rebuilds the key offline.',
  wallet: 'Wallet, as the server names it',
  key: 'Key',
  epoch: 'Epoch',
  sealedTo: (party: string) => `Signer ${party} seals its share to the holders of`,
  remark: 'Reason',
  usableFrom: 'Followed from',
  comma: ', ',
  exportRisk:
    'An exported key moves everything at its addresses, without any approval. Compare the fingerprint of every recipient with the person who made it before you approve.',
  canReject: 'Until the time from which it is followed, each of those who govern can still reject it.',
  retireRisk: 'This cannot be undone. What is left at its addresses, and what arrives later, can be moved by the recovery tool alone.',
}

type Words = typeof en

const WORDS: Record<Locale, Words> = {
  'en-US': en,
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    export: (wallet) => `导出“${wallet}”的密钥`,
    retire: (wallet) => `停用“${wallet}”的密钥`,
    other: (action, wallet) => `对“${wallet}”的密钥执行未知操作“${action}”`,
    whatHappens: '操作内容',
    exports: '每个签名方将其分片加密给此处指定的接收方。持有其中两把私钥者可离线还原完整密钥。',
    retires: '签名方不再使用该密钥签名。分片仍予保留，恢复包仍可离线还原密钥。',
    wallet: '钱包（服务器所记名称）',
    key: '密钥',
    epoch: '密钥版本',
    sealedTo: (party) => `签名方 ${party} 的分片加密给以下指纹的持有人`,
    remark: '原因',
    usableFrom: '执行时间不早于',
    comma: '、',
    exportRisk: '导出的密钥无需任何审批即可动用其地址上的全部资产。批准前请与生成者逐一核对每个接收方的指纹。',
    canReject: '在执行时间之前，任一策略审批人仍可拒绝。',
    retireRisk: '此操作不可撤销。其地址上剩余及日后到账的资产只能通过恢复工具转出。',
  },
}

/** What was put better since; an approval over these words counts too. */
const FORMER = { 'zh-CN': { epoch: '代次', canReject: '在执行时间之前，任一策略管理人仍可拒绝。' } }

/** An order that exports or retires a key, in words. */
function render(intent: KeyOrder, context: RenderContext, locale: Locale): Rendering {
  const words = wordsFor(WORDS, { former: FORMER }, locale, context)
  const { action, wallet } = intent
  const known = action === 'export' || action === 'retire' ? action : null
  return {
    locale,
    title: known ? words[known](wallet) : words.other(action, wallet),
    rows: [
      { label: words.whatHappens, value: known === 'export' ? words.exports : known === 'retire' ? words.retires : action },
      { label: words.wallet, value: wallet },
      { label: words.key, value: toHex(intent.keyId) },
      { label: words.epoch, value: String(intent.epoch) },
      ...intent.recipients.map(({ party, recipients }) => ({
        label: words.sealedTo(String(party)),
        value: recipients.map((each) => context.recipientFingerprint(each)).join(words.comma),
      })),
      { label: words.remark, value: intent.remark === '' ? words.none : intent.remark },
      { label: words.initiator, value: initiatorName(intent, context, locale) },
      { label: words.notBefore, value: timeInWords(intent.notBeforeMs) },
      { label: words.usableFrom, value: timeInWords(intent.usableFromMs) },
      { label: words.expires, value: timeInWords(intent.expiresAtMs) },
      { label: words.policy, value: `${intent.policyVersion} (${toHex(intent.policyHash)})` },
    ],
    warnings: known === 'export' ? [words.exportRisk, words.canReject] : known === 'retire' ? [words.retireRisk] : [],
  }
}

export const keyOrder = { shape: keyOrderIntentShape, fault: keyOrderFault, render } satisfies IntentKind<typeof keyOrderIntentShape>
