import { AppError, type Language } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import { contractFields, findControlAlarm, type Networks, networksOfWallet, unevenTokens } from '@holdfast/features/network/server'
import { currentPolicy } from '@holdfast/features/policy/server'
import { attestedAddresses, type RecoveryState, recoveryOfKeys, recoveryOn } from '@holdfast/features/key/server'
import { networkErrors } from '@holdfast/features/network/errors'
import { known } from '@holdfast/units'
import { hasTestCoins } from './test-coins.ts'

const CLOSED = {
  en_US: {
    creating: 'The key of this wallet is still being made. Deposits open after that and after the recovery kit has been verified.',
    failed: 'The key of this wallet could not be made, so it can receive nothing.',
    unproven:
      'Deposits are closed until the recovery kit of this wallet has been verified once. Nobody should send to a wallet whose key might not be recoverable.',
    overdue: 'Deposits are closed because the recovery drill is overdue. Verify the recovery kit again to open them.',
    overdueNote:
      'The recovery drill of this wallet is overdue. This address stays as it is; no new address is given out until the recovery kit has been verified again.',
    newEpoch: 'The key of this wallet has new shares. This address stays as it is; verify the new recovery kit soon. New addresses open after that.',
    retired: 'Deposits to this wallet have stopped: its key is retired. Do not transfer to its addresses any more.',
    unpinned: "The organisation's policy does not name this coin, so nothing of it could ever be paid out. Do not transfer it here.",
    notOwn: 'On its network somebody else may sign for this address. Do not transfer to it any more.',
    attesting: 'The signers have not attested this address yet. Try again in a moment.',
  },
  zh_CN: {
    creating: '该钱包的密钥仍在生成中。生成完成并验证恢复包后方可充值。',
    failed: '该钱包的密钥未能生成，因此无法接收任何资产。',
    unproven: '恢复包首次验证通过前，充值保持关闭。请勿向可能无法恢复密钥的钱包转账。',
    overdue: '恢复演练已逾期，充值已关闭。请重新验证恢复包以开启充值。',
    overdueNote: '该钱包的恢复演练已逾期。此地址保持不变；重新验证恢复包前不再启用新地址。',
    newEpoch: '该钱包的密钥已更换分片。此地址保持不变；请尽快验证新的恢复包，验证后方可启用新地址。',
    retired: '该钱包已停止充值：其密钥已停用。请勿再向其地址转账。',
    unpinned: '组织的策略未包含该币种，转入后将无法支出。请勿转账。',
    notOwn: '在其网络上，他人可为该地址签名。请勿再向其转账。',
    attesting: '签名方尚未确认该地址，请稍后重试。',
  },
} as const

export type DepositAddress = {
  symbol: string
  network: string
  enableDeposit: boolean
  text: string
  address: string | null
  confirmations: number
  test_coins: boolean
  memo: string | null
  memo_max: number | null
  payment_link: string | null
  contract_address: string | null
  uneven: boolean
}

/**
 * Where to deposit a coin. There is an address in the answer only while recovery of its key is proven: an address that was
 * given out cannot be taken back.
 */
export async function depositAddress(
  tx: OrganisationTx,
  networks: Networks,
  input: { subWalletId: string; chain: string; symbol: string; language: Language; nowMs: number },
): Promise<DepositAddress> {
  const network = networks.find(input.chain)
  const asset = networks.asset(input.chain, input.symbol) ?? networks.collection(input.chain, input.symbol)
  if (!network || !asset) throw new AppError(networkErrors.unsupported_coin)
  const subWallet = await tx
    .selectFrom('sub_wallet')
    .innerJoin('wallet', (join) => join.onRef('wallet.org_id', '=', 'sub_wallet.org_id').onRef('wallet.id', '=', 'sub_wallet.wallet_id'))
    .select(['wallet.id as wallet_id', 'wallet.state'])
    .where('sub_wallet.org_id', '=', tx.orgId)
    .where('sub_wallet.id', '=', input.subWalletId)
    .executeTakeFirst()
  if (!subWallet) throw new AppError('wallet_not_found')
  if (!(await networksOfWallet(tx, networks, subWallet.wallet_id)).includes(network)) throw new AppError(networkErrors.unsupported_coin)
  const recovery = recoveryOn(input.chain, await recoveryOfKeys(tx, subWallet.wallet_id, input.nowMs))
  const row = await tx
    .selectFrom('address')
    .select(['chain', 'address', 'sub_wallet_id as subWalletId', 'path', 'number', 'created_at'])
    .where('org_id', '=', tx.orgId)
    .where('sub_wallet_id', '=', input.subWalletId)
    .where('chain', '=', input.chain)
    .where('number', '=', 0)
    .executeTakeFirst()
  const words = CLOSED[input.language]
  const { policy } = await currentPolicy(tx)
  const isPinned = policy.assets.some((each) => each.chain === asset.chain && each.contract === asset.contract)
  const isTaken = row !== undefined && (await findControlAlarm(tx, { chain: input.chain, address: row.address })) !== undefined
  const isAttested = row !== undefined && (await attestedAddresses(tx, [row])).has(row)
  const closed = isPinned
    ? whyClosed({ walletState: subWallet.state, recovery, addressMadeAtMs: row && Number(row.created_at), isTaken, isAttested, language: input.language })
    : words.unpinned
  // Deposits are closed on a network that has no address yet.
  const address = closed === undefined ? known(row, `the address on ${input.chain} of an open sub-wallet`).address : null
  const memo = address === null ? null : await newestComment(tx, input.chain, address)
  const note = recovery.depositsOpen ? '' : recovery.overdue ? words.overdueNote : words.newEpoch
  return {
    symbol: asset.symbol,
    network: network.name,
    enableDeposit: closed === undefined,
    text: closed ?? note,
    address,
    confirmations: network.finalityBlocks,
    test_coins: closed === undefined && hasTestCoins(network),
    memo,
    memo_max: network.codec.memoMax ?? null,
    payment_link: address === null || memo === null ? null : (network.codec.paymentLink?.(address, { contract: asset.contract, memo }) ?? null),
    contract_address: contractFields(asset.contract ?? '').contract_address,
    uneven: asset.contract !== null && (await unevenTokens(tx, asset.chain))(tx.orgId, asset.chain, asset.contract),
  }
}

/** The comment that payers are told now, of an address that has any. */
async function newestComment(tx: OrganisationTx, chain: string, address: string): Promise<string | null> {
  const row = await tx
    .selectFrom('deposit_comment')
    .select('comment')
    .where('org_id', '=', tx.orgId)
    .where('chain', '=', chain)
    .where('address', '=', address)
    .orderBy('created_at', 'desc')
    .orderBy('comment')
    .limit(1)
    .executeTakeFirst()
  return row?.comment ?? null
}

/** Why nothing may be deposited, in a sentence; undefined if deposits are open. */
export function whyClosed(facts: {
  walletState: 'creating' | 'active' | 'failed'
  recovery: Pick<RecoveryState, 'depositsOpen' | 'overdue' | 'provenBeforeMs' | 'retired'>
  /** Undefined if there is no address yet. */
  addressMadeAtMs: number | undefined
  /** Somebody else may sign for it. */
  isTaken: boolean
  /** The signers say that it is this sub-wallet's. */
  isAttested: boolean
  language: Language
}): string | undefined {
  const words = CLOSED[facts.language]
  if (facts.isTaken) return words.notOwn
  if (facts.walletState === 'creating') return words.creating
  if (facts.walletState === 'failed') return words.failed
  const { depositsOpen, overdue, provenBeforeMs, retired } = facts.recovery
  if (retired) return words.retired
  const wasGivenOut = provenBeforeMs !== null && facts.addressMadeAtMs !== undefined && facts.addressMadeAtMs < provenBeforeMs
  if (!depositsOpen && !wasGivenOut) return overdue ? words.overdue : words.unproven
  return facts.addressMadeAtMs === undefined || !facts.isAttested ? words.attesting : undefined
}
