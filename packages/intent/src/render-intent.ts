import { readNft } from '@holdfast/chain-core'
import { digest, equalBytes, list, struct, text, toHex } from '@holdfast/encoding'
import { groupAddress } from './group-address.ts'
import {
  type Asset,
  type Brc20InscribeIntent,
  BY_SCHEDULE,
  type InscribedIntent,
  type Intent,
  type KeyChangeIntent,
  type PaymentIntent,
  type PolicyChangeIntent,
} from './intent.ts'
import { askedRows, feeRow, identityRows, initiatorName, keyRow, moneyText, ORDER_WORDS, validityRows } from './order-rows.ts'
import { earlierReplacementWords } from './earlier-replacement-words.ts'
import { inscriptionsOf, isInscribed, isPayment, paymentsOf } from './payments-of.ts'
import { renderCall } from './render-call.ts'
import { renderDepositChild } from './render-deposit-child.ts'
import { renderKeyOrder } from './render-key-order.ts'
import { renderReplacement } from './render-replacement.ts'
import { renderAbsence, renderLiftFreeze } from './render-signer-order.ts'
import { renderStake } from './render-stake.ts'
import { type Locale, type RenderContext, type Rendering } from './rendering.ts'

const renderingShape = struct('holdfast/rendering/v1', { locale: text(8), lines: list(text(1 << 20)) })

/** The hash an approval binds, so that evidence says which words the approver was to see. */
export function renderHash(rendering: Rendering): Uint8Array {
  const lines = [rendering.title, ...rendering.rows.flatMap((row) => [row.label, row.value]), ...rendering.warnings]
  return digest(renderingShape, { locale: rendering.locale, lines })
}

/**
 * The intent in words: deterministic, exact to the last digit, whole addresses.
 */
export function renderIntent(intent: Intent, context: RenderContext, locale: Locale): Rendering {
  if (isPayment(intent)) return renderTransfer(intent, context, locale)
  if (intent.kind === 'replacement') return renderReplacement(intent, context, locale, (original) => renderIntent(original, context, locale))
  if (intent.kind === 'contractCall') return renderCall(intent, context, locale)
  if (intent.kind === 'stake') return renderStake(intent, context, locale)
  if (intent.kind === 'depositChild') return renderDepositChild(intent, context, locale)
  if (intent.kind === 'keyOrder') return renderKeyOrder(intent, context, locale)
  if (intent.kind === 'absence') return renderAbsence(intent, context, locale)
  if (intent.kind === 'liftFreeze') return renderLiftFreeze(intent, context, locale)
  return intent.kind === 'policyChange' ? renderPolicyChange(intent, context, locale) : renderKeyChange(intent, context, locale)
}

/**
 * The words that an order had in earlier versions of this product and has no more, where they differ. An approval over them proves what its approver
 * read then, and gets no signature any more.
 */
export function earlierRenderings(intent: Intent, context: RenderContext, locale: Locale): Rendering[] {
  return intent.kind === 'replacement' ? [earlierReplacementWords(intent, context, locale)] : []
}

const WORDS = {
  'en-US': {
    ...ORDER_WORDS['en-US'],
    pay: (amount: string, to: string) => `Pay ${amount} to ${to}`,
    give: (pieces: string, to: string) => `Send ${pieces} to ${to}`,
    several: (count: number) => `${count} recipients`,
    recipient: (number: number) => `Recipient ${number}`,
    tokenId: 'Token id',
    inscription: 'Inscription that is sent',
    part: (number: number) => `Part ${number} of the amount`,
    postage: 'Coin that goes along',
    way: 'How it is sent',
    inscribes:
      'A transfer of this amount is inscribed on the paying address and goes to the recipient at once. Three transactions are signed together; all that does not go to the recipient comes back, less the fee.',
    notReplaced: 'Once it is sent, this order can be neither sped up nor cancelled: it waits until its fee is enough.',
    oneOfAKind: 'one of a kind',
    countedByPiece: 'counted by the piece',
    amount: 'Amount',
    to: 'To',
    from: 'From',
    memo: 'Memo',
    asset: 'Asset',
    ownCoin: 'own coin of the network',
    contract: 'Token contract',
    screening: 'Screening attestation',
    notInBook: 'This destination is not in a signed address book. Compare every character with a source you trust.',
    toSelf: 'The destination is the paying address itself.',
    changePolicy: (version: string) => `Replace the policy by version ${version}`,
    newPolicy: 'The new policy',
    changesRights: 'This changes who may move money. Read the new policy before you sign.',
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
    pay: (amount: string, to: string) => `付款 ${amount} 至 ${to}`,
    give: (pieces: string, to: string) => `转出 ${pieces} 至 ${to}`,
    several: (count: number) => `${count} 个收款地址`,
    recipient: (number: number) => `收款方 ${number}`,
    tokenId: '代币编号',
    inscription: '转出的铭文',
    part: (number: number) => `金额的第 ${number} 部分`,
    postage: '随附金额',
    way: '转出方式',
    inscribes: '先在付款地址上为该数量制作转账铭文，随即转给收款方。三笔交易一并签名；除转给收款方的部分外，其余扣除手续费后全部退回。',
    notReplaced: '此订单发出后既不能加速也不能取消，会一直等到手续费足够为止。',
    oneOfAKind: '独一无二',
    countedByPiece: '按件计数',
    amount: '金额',
    to: '收款地址',
    from: '付款地址',
    memo: '备注标签',
    asset: '资产',
    ownCoin: '网络主币',
    contract: '代币合约',
    screening: '筛查证明',
    notInBook: '该收款地址不在已签名的地址簿中。请与可信来源逐字核对。',
    toSelf: '收款地址就是付款地址本身。',
    changePolicy: (version: string) => `将策略更换为版本 ${version}`,
    newPolicy: '新策略',
    changesRights: '此操作会改变谁可以动用资金。签名前请阅读新策略。',
    refresh: (wallet: string) => `刷新“${wallet}”的密钥分片`,
    repair: (wallet: string, lost: string) => `为签名方 ${lost} 重新生成“${wallet}”的密钥分片`,
    otherAction: (action: string, wallet: string) => `对“${wallet}”的密钥执行未知操作“${action}”`,
    wallet: '钱包（服务器所记名称）',
    whatHappens: '操作内容',
    refreshes: '三个签名方将各自的分片全部更换为新分片。旧代次的分片与恢复包无法与新分片配合使用。',
    repairs: (dealers: string, lost: string) => `签名方 ${dealers} 为三方生成新分片。签名方 ${lost} 从头开始：放弃其此前的全部记录，并重新获得分片。`,
    epochs: '代次',
    fromTo: (from: string, to: string) => `由 ${from} 变为 ${to}`,
    dealers: '提供分片的签名方',
    keyOnly: '密钥',
    keyStays: '公钥与所有地址保持不变，不动用任何资金。',
    bySchedule: '无人发起：由服务器按计划提交',
    repairRisk: '仅在确知该签名方已丢失数据时批准修复。重新开始的签名方不再记得此前签过什么。',
  },
} as const

function renderTransfer(intent: PaymentIntent, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  const nft = readNft(intent.asset.contract)
  const payments = paymentsOf(intent)
  const isOne = intent.kind !== 'payout'
  const recipients = isOne
    ? [{ label: words.to, value: groupAddress(intent.to) }]
    : payments.map(({ to, amount: part }, i) => ({ label: words.recipient(i + 1), value: `${moneyText(part, intent.asset)} → ${groupAddress(to)}` }))
  const amount = nft ? `${intent.amount} × ${intent.asset.symbol} #${nft.tokenId}` : moneyText(intent.amount, intent.asset)
  return {
    locale,
    title: (nft ? words.give : words.pay)(amount, isOne ? groupAddress(intent.to) : words.several(payments.length)),
    rows: [
      { label: words.amount, value: amount },
      ...recipients,
      { label: words.from, value: groupAddress(intent.from) },
      { label: words.memo, value: intent.memo ?? words.none },
      { label: words.network, value: intent.asset.chain },
      ...assetRows(intent.asset, words),
      ...(isInscribed(intent) ? inscriptionRows(intent, words) : intent.kind === 'brc20Inscribe' ? newInscriptionRows(intent, words) : []),
      feeRow(intent.feeCap, intent.feeAsset, locale),
      ...askedRows(intent, context, locale),
      { label: words.screening, value: intent.screening === null ? words.none : toHex(intent.screening) },
      keyRow(intent, locale),
      ...identityRows(intent, locale),
    ],
    warnings: [words.notInBook, ...(intent.to === intent.from ? [words.toSelf] : []), ...(intent.kind === 'brc20Inscribe' ? [words.notReplaced] : [])],
  }
}

/** Which inscriptions go, and what the coin under each holds, which goes along. */
function inscriptionRows(intent: InscribedIntent, words: (typeof WORDS)[Locale]): Rendering['rows'] {
  const { asset, feeAsset } = intent
  const parts = inscriptionsOf(intent)
  return parts.flatMap(({ inscription, amount, postage }, i) => [
    ...(parts.length > 1 ? [{ label: words.part(i + 1), value: moneyText(amount, asset) }] : []),
    { label: words.inscription, value: inscription },
    { label: words.postage, value: moneyText(postage, feeAsset) },
  ])
}

/** That the inscription is made first, and what the coin under it will hold, which goes along. */
function newInscriptionRows({ postage, feeAsset }: Brc20InscribeIntent, words: (typeof WORDS)[Locale]): Rendering['rows'] {
  return [
    { label: words.way, value: words.inscribes },
    { label: words.postage, value: moneyText(postage, feeAsset) },
  ]
}

function assetRows({ contract, symbol }: Asset, words: (typeof WORDS)[Locale]): Rendering['rows'] {
  const nft = readNft(contract)
  if (!nft) {
    return [
      { label: words.asset, value: contract === null ? `${symbol} (${words.ownCoin})` : symbol },
      { label: words.contract, value: contract === null ? words.none : groupAddress(contract) },
    ]
  }
  const kind = nft.standard === 'erc721' ? `ERC-721, ${words.oneOfAKind}` : `ERC-1155, ${words.countedByPiece}`
  return [
    { label: words.asset, value: `${symbol} (${kind})` },
    { label: words.tokenId, value: String(nft.tokenId) },
    { label: words.contract, value: groupAddress(nft.collection) },
  ]
}

function renderPolicyChange(intent: PolicyChangeIntent, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  return {
    locale,
    title: words.changePolicy(String(intent.policyVersion + 1n)),
    rows: [
      ...context.policyLines(intent.newPolicy, locale).map((value, i) => ({ label: i === 0 ? words.newPolicy : '', value })),
      { label: words.initiator, value: initiatorName(intent, context, locale) },
      ...validityRows(intent, locale),
      ...identityRows(intent, locale),
    ],
    warnings: [words.changesRights],
  }
}

function renderKeyChange(intent: KeyChangeIntent, context: RenderContext, locale: Locale): Rendering {
  const words = WORDS[locale]
  const dealers = intent.dealers.join(', ')
  const lost = lostPartiesOf(intent).join(', ')
  const isRepair = intent.action === 'repair'
  const isKnown = isRepair || intent.action === 'refresh'
  const title = isRepair ? words.repair(intent.wallet, lost) : words.refresh(intent.wallet)
  const happens = isRepair ? words.repairs(dealers, lost) : words.refreshes
  return {
    locale,
    title: isKnown ? title : words.otherAction(intent.action, intent.wallet),
    rows: [
      { label: words.whatHappens, value: isKnown ? happens : intent.action },
      { label: words.wallet, value: intent.wallet },
      { label: words.keyOnly, value: toHex(intent.keyId) },
      { label: words.epochs, value: words.fromTo(String(intent.fromEpoch), String(intent.toEpoch)) },
      { label: words.dealers, value: dealers },
      {
        label: words.initiator,
        value: equalBytes(intent.initiator, BY_SCHEDULE) ? words.bySchedule : initiatorName(intent, context, locale),
      },
      ...validityRows(intent, locale),
      ...identityRows(intent, locale),
    ],
    warnings: [words.keyStays, ...(isRepair ? [words.repairRisk] : [])],
  }
}

/** The signers that give nothing: in a repair the one that has lost its share. */
function lostPartiesOf({ dealers }: KeyChangeIntent): bigint[] {
  return [1n, 2n, 3n].filter((party) => !dealers.includes(party))
}
