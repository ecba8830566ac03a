import { bytes, equalBytes, type Infer, list, struct, text, toHex, uint } from '@holdfast/encoding'
import { initiatorName, ORDER_WORDS, validityRows } from '../order-rows.ts'
import { type Locale, type RenderContext, type Rendering, wordsFor } from '../rendering.ts'
import type { IntentKind } from './intent-kind.ts'
import { identityFields, validityFields } from './order-fields.ts'
import { areAscendingParties, PARTIES } from './parties.ts'

/** What can be done with the shares of a key, and how many signers deal. Its public key, and with it every address, stays. */
const DEALERS = { refresh: 3, repair: 2 } as const
export type KeyAction = keyof typeof DEALERS

/** The initiator of an order that nobody asked for: a server proposed it on its schedule. Approvals count for it as for any other. */
export const BY_SCHEDULE = new Uint8Array(16)

/**
 * An order to give a key new shares. `refresh`: all three signers deal. `repair`: two `dealers` give the third, which has lost its share and
 * all it remembered, a new one and take its new beginning for good. `wallet` is the server's name for what the key is of.
 */
const keyChangeIntentShape = struct('holdfast/intent/key-change/v1', {
  ...identityFields,
  action: text(16),
  keyId: bytes(32),
  wallet: text(400),
  fromEpoch: uint(),
  toEpoch: uint(),
  dealers: list(uint(8), 3),
  ...validityFields,
  nonce: bytes(32),
})

export type KeyChangeIntent = { kind: 'keyChange' } & Infer<typeof keyChangeIntentShape>

type KeyChange = Omit<KeyChangeIntent, 'kind'>

const isKnown = (action: string): action is KeyAction => Object.hasOwn(DEALERS, action)

/** Why an order for new shares makes no sense in itself; undefined if it does. */
function keyChangeFault({ action, fromEpoch, toEpoch, dealers }: KeyChange): string | undefined {
  if (!isKnown(action)) return `unknown action ${action}`
  if (toEpoch !== fromEpoch + 1n) return `epoch ${toEpoch} does not follow epoch ${fromEpoch}`
  const count = DEALERS[action]
  return dealers.length === count && areAscendingParties(dealers) ? undefined : `${action} needs ${count} different signers that deal, in ascending order`
}

/** An order for new shares of a key, in words. */
function render(intent: KeyChange, context: RenderContext, locale: Locale): Rendering {
  const words = wordsFor(WORDS, { former: FORMER }, locale, context)
  const { action, wallet, initiator } = intent
  const dealers = intent.dealers.join(', ')
  const lost = PARTIES.filter((party) => !intent.dealers.includes(party)).join(', ')
  const isRepair = action === 'repair'
  const title = isRepair ? words.repair(wallet, lost) : words.refresh(wallet)
  const happens = isRepair ? words.repairs(dealers, lost) : words.refreshes
  return {
    locale,
    title: isKnown(action) ? title : words.otherAction(action, wallet),
    rows: [
      { label: words.whatHappens, value: isKnown(action) ? happens : action },
      { label: words.wallet, value: wallet },
      { label: words.keyOnly, value: toHex(intent.keyId) },
      { label: words.epochs, value: words.fromTo(String(intent.fromEpoch), String(intent.toEpoch)) },
      { label: words.dealers, value: dealers },
      { label: words.initiator, value: equalBytes(initiator, BY_SCHEDULE) ? words.bySchedule : initiatorName(intent, context, locale) },
      ...validityRows(intent, locale),
    ],
    warnings: [words.keyStays, ...(isRepair ? [words.repairRisk] : [])],
  }
}

const WORDS = {
  'en-US': {
    ...ORDER_WORDS['en-US'],
    refresh: (wallet: string) => `Refresh the shares of the key of “${wallet}”`,
    repair: (wallet: string, lost: string) => `Give signer ${lost} a new share of the key of “${wallet}”`,
    otherAction: (action: string, wallet: string) => `Unknown action “${action}” on the key of “${wallet}”`,
    wallet: 'Wallet, as the server names it',
    whatHappens: 'What happens',
    refreshes: 'All three signers replace their shares by new ones. Shares and recovery kits of the old epoch fit the new shares no more.',
    repairs: (dealers: string, lost: string) =>
      `Signers ${dealers} make new shares for all three. Signer ${lost} begins anew: what it remembered before is given up, and it gets a share again.`,
    epochs: 'Epoch',
    fromTo: (from: string, to: string) => `${from}, from then on ${to}`,
    dealers: 'Signers whose shares are used',
    keyOnly: 'Key',
    keyStays: 'The public key and all addresses stay. No money moves.',
    bySchedule: 'nobody: the server proposes it on its schedule',
    repairRisk: 'Approve a repair only if you know that this signer has lost its data. A signer that begins anew no longer knows what it signed before.',
  },
  'zh-CN': {
    ...ORDER_WORDS['zh-CN'],
    refresh: (wallet: string) => `刷新“${wallet}”的密钥分片`,
    repair: (wallet: string, lost: string) => `为签名方 ${lost} 重新生成“${wallet}”的密钥分片`,
    otherAction: (action: string, wallet: string) => `对“${wallet}”的密钥执行未知操作“${action}”`,
    wallet: '钱包（服务器所记名称）',
    whatHappens: '操作内容',
    refreshes: '三个签名方将各自的分片全部更换为新分片。旧版本的分片与恢复包无法与新分片配合使用。',
    repairs: (dealers: string, lost: string) => `签名方 ${dealers} 为三方生成新分片。签名方 ${lost} 从头开始：放弃其此前的全部记录，并重新获得分片。`,
    epochs: '密钥版本',
    fromTo: (from: string, to: string) => `由 ${from} 变为 ${to}`,
    dealers: '提供分片的签名方',
    keyOnly: '密钥',
    keyStays: '公钥与所有地址保持不变，不动用任何资金。',
    bySchedule: '无人发起：由服务器按计划提交',
    repairRisk: '仅在确知该签名方已丢失数据时批准修复。重新开始的签名方不再记得此前签过什么。',
  },
}

/** What was put better since; an approval over these words counts too. */
const FORMER = {
  'zh-CN': { refreshes: '三个签名方将各自的分片全部更换为新分片。旧代次的分片与恢复包无法与新分片配合使用。', epochs: '代次' },
}

export const keyChange = { shape: keyChangeIntentShape, fault: keyChangeFault, render } satisfies IntentKind<typeof keyChangeIntentShape>
