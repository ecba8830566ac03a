import './wallet-name.css'
import { Label } from '@holdfast/ui'
import type { subWalletPath } from '../sub-wallet-path.ts'

/** A sub-wallet by the one name that it has on every page, with the network where it is about one: "Treasury / Main", Bitcoin. */
export function WalletName({ of, network }: { of: Parameters<typeof subWalletPath>[0]; network?: string | undefined }) {
  return (
    <span className="hf-wallet-name">
      <span className="hf-wallet-path">
        <Label text={of.wallet_name} />
        <span className="hf-wallet-slash"> / </span>
        <Label text={of.sub_wallet_name} />
      </span>
      {network !== undefined && <NetworkChip network={network} />}
    </span>
  )
}

/** The name of a network, apart from the words beside it. */
export function NetworkChip({ network }: { network: string }) {
  return (
    <span className="hf-network-chip" title={network} translate="no">
      {network}
    </span>
  )
}
