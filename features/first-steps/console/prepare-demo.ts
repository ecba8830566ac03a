import { CallError, type CallOptions, type Client } from '@holdfast/contract'
import { getTestCoins } from '@holdfast/features/deposit-address/contract'
import { runDemoDrill } from '@holdfast/features/key-recovery/contract'
import { transferErrors } from '@holdfast/features/transfer/errors'
import { createWallet, getWalletProgress, listAllSubWallets, listCoinAssets } from '@holdfast/features/wallet/contract'
import { createWithdrawal, estimateGas } from '@holdfast/features/withdrawal/contract'
import type { Timer } from '@holdfast/ports'
import { known } from '@holdfast/units'
import { getFirstSteps } from '../contract.ts'

type Around = { client: Client; timer: Pick<Timer, 'sleep'> }
type Words = { wallet: string; remark: string }
type Place = { subWalletId: string; chain: string }

const POLL_MS = 400
/** An account of the local network that is nobody's. */
const SUPPLIER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const COIN_AMOUNT = '10'
const TOKEN_AMOUNT = '1000'
const PAYMENT = '125.5'

/**
 * Takes the first steps of a demo for whoever founded it, as that person, with the calls of the pages: a wallet, the drill, test coins, and one payment that
 * then waits for two approvals. It goes on where an earlier try stopped. What it makes is made once: the names of its requests are always the same.
 */
export async function prepareDemo(around: Around, words: Words): Promise<void> {
  const { client } = around
  const { steps, demo, wallet } = await client.call(getFirstSteps, {})
  const isOpen = (name: string) => steps.some((step) => step.name === name && !step.done)
  if (!demo || !isOpen('ask')) return
  const made = wallet ?? (await client.call(createWallet, { request_id: 'demo-wallet', wallet_name: words.wallet }))
  const walletId = made.wallet_id
  await untilReady(around, walletId)
  if (isOpen('recovery')) await client.call(runDemoDrill, { wallet_id: walletId })
  const subWallets = await client.call(listAllSubWallets, { wallet_id: walletId })
  const { sub_wallet_id: subWalletId } = known(subWallets[0], 'the first sub-wallet')
  const { coin, token } = await coinsOf(around, subWalletId)
  const place = { subWalletId, chain: coin.chain }
  if (isOpen('deposit')) {
    for (const [symbol, amount] of [
      [coin.symbol, COIN_AMOUNT],
      [token.symbol, TOKEN_AMOUNT],
    ] as const)
      await client.call(getTestCoins, { sub_wallet_id: subWalletId, chain: coin.chain, symbol, amount })
  }
  await untilCredited(around, subWalletId)
  await pay(around, place, token.symbol, words.remark)
}

async function untilReady({ client, timer }: Around, walletId: string): Promise<void> {
  for (;;) {
    const { state, reason } = await client.call(getWalletProgress, { wallet_id: walletId })
    if (state === 'ready') return
    if (state === 'failed') throw new Error(reason ?? 'the key could not be made')
    await timer.sleep(POLL_MS)
  }
}

/** The own coin of the first EVM network, and the token beside it. */
async function coinsOf({ client }: Around, subWalletId: string) {
  const { list } = await client.call(listCoinAssets, { sub_wallet_id: subWalletId })
  const coin = known(
    list.find(({ chain, contract_address: contract }) => chain.startsWith('eip155:') && contract === null),
    'the coin of an EVM network',
  )
  const token = known(
    list.find(({ chain, contract_address: contract }) => chain === coin.chain && contract !== null),
    `a token on ${coin.chain}`,
  )
  return { coin, token, isCredited: [coin, token].every(({ normal_balance: balance }) => /[1-9]/.test(balance)) }
}

async function untilCredited(around: Around, subWalletId: string): Promise<void> {
  while (!(await coinsOf(around, subWalletId)).isCredited) await around.timer.sleep(POLL_MS)
}

async function pay({ client }: Around, { subWalletId, chain }: Place, symbol: string, remark: string): Promise<void> {
  const payment = { sub_wallet_id: subWalletId, chain, symbol, amount: PAYMENT }
  const ask = async (options: CallOptions = {}) => {
    const { tiers } = await client.call(estimateGas, { ...payment, to: SUPPLIER })
    const { fee } = known(tiers.at(-1), 'the fee')
    return client.call(createWithdrawal, { ...payment, request_id: 'demo-payment', address_to: SUPPLIER, max_fee: fee, remark, ack: 'first_seen' }, options)
  }
  await ask({ shows: isNotBuilt }).catch((cause: unknown) => {
    // A fee that was just measured can be far too high a moment later, where the network has mined many empty blocks at once.
    if (isNotBuilt(cause)) return ask()
    throw cause
  })
}

const isNotBuilt = (cause: unknown): boolean => cause instanceof CallError && cause.is(transferErrors.build_failed)
