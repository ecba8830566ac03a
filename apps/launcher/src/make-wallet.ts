import { toHex } from '@holdfast/encoding'
import { createWallet, getWalletProgress, listAllSubWallets } from '@holdfast/features/wallet/contract'
import type { Ports } from '@holdfast/ports'
import { known } from '@holdfast/units'
import type { TerminalMember } from './terminal-member.ts'
import { waitUntil } from './wait-until.ts'

/** Makes a wallet, of one kind of key or with `all` that its networks need, and waits until the signers have generated them. Answers it with its first sub-wallet. */
export async function makeWallet(
  ports: Ports,
  member: TerminalMember,
  name: string,
  keyKind: 'ecdsa' | 'ed25519' | 'taproot' | 'all' = 'ecdsa',
): Promise<{ walletId: string; subWalletId: string }> {
  const { wallet_id: walletId } = await member.client.call(createWallet, {
    request_id: `wallet-${toHex(ports.random.bytes(8))}`,
    wallet_name: name,
    ...(keyKind !== 'all' && { key_kind: keyKind }),
  })
  await waitUntil(ports, 'the key', async () => {
    const progress = await member.client.call(getWalletProgress, { wallet_id: walletId })
    if (progress.state === 'failed') throw new Error(progress.reason ?? 'key generation failed')
    return progress.state === 'ready' ? true : undefined
  })
  const [first] = await member.client.call(listAllSubWallets, { wallet_id: walletId })
  return { walletId, subWalletId: known(first, 'the first sub-wallet').sub_wallet_id }
}
