import { DrawerBody } from '@holdfast/ui'
import { RecoverySection } from './recovery-section.tsx'

/** The kit of a wallet's key, and the proof that it works. */
export function RecoveryDrawer({ walletId }: { walletId: string }) {
  return (
    <DrawerBody>
      <div className="hf-recovery-narrow">
        <RecoverySection walletId={walletId} />
      </div>
    </DrawerBody>
  )
}
