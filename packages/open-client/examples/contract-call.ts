import { readFile } from 'node:fs/promises'
import { env } from 'node:process'
import { createOpenClient, importKey, type OpenClient } from '@holdfast/open-client'

/**
 * Has a contract called from the first sub-wallet that the key may name. What a node says the call would do, and what the policy says of it, is looked at
 * before. The same request again goes on where it stands.
 */
export async function contractCall(client: OpenClient, [requestId = '', chain = '', contract = '', signature = '', data = '', fee = '']: readonly string[]) {
  const [wallet] = (await client.call('openWallets', {})).list
  if (!wallet) throw new Error('the key may name no sub-wallet: have one added to its settings')
  const asked = { sub_wallet_id: wallet.sub_wallet_id, chain, interactive_contract: contract, function: signature, input_data: data }
  const { decoded, simulation, policy } = await client.call('openCheckCall', asked)
  if (policy.denied || simulation.fails !== null) throw new Error(`nothing is asked for: ${simulation.fails ?? policy.sentence}`)
  const { id, state, missing } = await client.callContract({ ...asked, request_id: requestId, max_fee: fee, ack: 'true' })
  return { id, state, missing, title: decoded.title, warnings: decoded.warnings }
}

if (import.meta.main) {
  const { HOLDFAST_URL: baseUrl = '', HOLDFAST_KEY_ID: keyId = '', HOLDFAST_KEY_FILE: path = '' } = env
  const key = await importKey(await readFile(path, 'utf8'))
  console.log(await contractCall(createOpenClient({ baseUrl, keyId, key }), process.argv.slice(2)))
}
