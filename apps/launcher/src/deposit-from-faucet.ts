import { getDepositAddress } from '@holdfast/features/deposit-address/contract'
import { listCoinAssets } from '@holdfast/features/wallet/contract'
import type { Ports } from '@holdfast/ports'
import { formatAmount, parseAmount } from '@holdfast/units'
import { LOCAL_CHAIN, type LocalSettings } from './local-settings.ts'
import type { TerminalMember } from './terminal-member.ts'
import { waitUntil } from './wait-until.ts'

/** On the local EVM network where no other chain is named. */
export type Deposit = { subWalletId: string; chain?: string; symbol: string; amount: string }

/** Has the faucet of the local networks pay to a sub-wallet and waits until the balance has grown by exactly that. Answers the address. */
export async function depositFromFaucet(
  ports: Ports,
  settings: LocalSettings,
  member: TerminalMember,
  { subWalletId, chain = LOCAL_CHAIN, symbol, amount }: Deposit,
): Promise<string> {
  const coin = async () => {
    const { list } = await member.client.call(listCoinAssets, { sub_wallet_id: subWalletId })
    return list.find((each) => each.chain === chain && each.symbol === symbol)!
  }
  const { address } = await member.client.call(getDepositAddress, { sub_wallet_id: subWalletId, chain, symbol })
  const { normal_balance: before, decimals } = await coin()
  const wanted = formatAmount(parseAmount(before, decimals) + parseAmount(amount, decimals), decimals)
  await askFaucet(ports, settings, { address: address!, chain, asset: symbol, amount })
  await waitUntil(ports, `${amount} ${symbol} to be credited`, async () => ((await coin()).normal_balance === wanted ? true : undefined))
  return address!
}

/** Has the faucet pay, and answers when its transaction is in a block. */
export async function askFaucet(
  ports: Pick<Ports, 'fetch'>,
  settings: LocalSettings,
  payment: { address: string; chain?: string; asset: string; amount: string },
): Promise<void> {
  const response = await ports.fetch(`${settings.faucetUrl}/api/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: settings.faucetUrl },
    body: JSON.stringify(payment),
  })
  if (!response.ok) throw new Error(`the faucet answered ${response.status}: ${await response.text()}`)
}
