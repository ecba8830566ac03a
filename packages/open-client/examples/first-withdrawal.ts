import { readFile } from 'node:fs/promises'
import { env } from 'node:process'
import { createOpenClient, importKey, type OpenClient } from '@holdfast/open-client'

/** Pays from the first sub-wallet that the key may name, and says how the order stands. The same request again goes on where it stands. */
export async function firstWithdrawal(client: OpenClient, [requestId = '', chain = '', symbol = '', amount = '', to = '', fee = '']: readonly string[]) {
  const [wallet] = (await client.call('openWallets', {})).list
  if (!wallet) throw new Error('the key may name no sub-wallet: have one added to its settings')
  const asked = { request_id: requestId, sub_wallet_id: wallet.sub_wallet_id, chain, symbol, amount, address_to: to, max_fee: fee, ack: 'first_seen' }
  const { id, state, missing } = await client.withdraw(asked)
  const order = await client.call('openWithdrawal', { id })
  return { id, state, missing, status: order.status, next: order.next_action.text }
}

if (import.meta.main) {
  const { HOLDFAST_URL: baseUrl = '', HOLDFAST_KEY_ID: keyId = '', HOLDFAST_KEY_FILE: path = '' } = env
  const key = await importKey(await readFile(path, 'utf8'))
  console.log(await firstWithdrawal(createOpenClient({ baseUrl, keyId, key }), process.argv.slice(2)))
}
