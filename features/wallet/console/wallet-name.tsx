import './wallet-name.css'
import { NetworkChip } from '@holdfast/features/network/console'
import { Label } from '@holdfast/ui'
import type { subWalletPath } from '../sub-wallet-path.ts'

/** A sub-wallet by the one name that it has on every page, with the network where it is about one: "Treasury / Main", Bitcoin. */
export function WalletName({ of, on }: { of: Parameters<typeof subWalletPath>[0]; on?: { chain: string; network: string } }) {
  return (
    <span className="hf-wallet-name">
      <span className="hf-wallet-path">
        <Label text={of.wallet_name} />
        <span className="hf-wallet-slash"> / </span>
        <Label text={of.sub_wallet_name} />
      </span>
      {on && <NetworkChip chain={on.chain} network={on.network} />}
    </span>
  )
}
