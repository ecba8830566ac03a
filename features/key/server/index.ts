import type { ServerFeature } from '@holdfast/features/server-feature'
import { startKeys } from './run-keys.ts'

export { type AddressRange, attestRange } from './attest-addresses.ts'
export { attestedAddresses, batchShape, type Attestable } from './attested-addresses.ts'
export { pokeKeys } from './run-keys.ts'
export { type KeyRecovery, type RecoveryState, recoveryOfKeys, recoveryOfSubWallet, recoveryOfWallet, recoveryOn, recoveryStates } from './recovery-state.ts'
export { addKey } from './add-key.ts'
export { protocolsToAdd, readAddedKeys } from './added-keys.ts'
export { readKeysInMaking, readWalletKey, readWalletKeys, requireKey, signsOn, type WalletKeyRow } from './read-key.ts'
export { insertEpoch, insertKey } from './insert-key.ts'
export { assembleKit, checkedShare, writeKit } from './write-kit.ts'
export { SignerMismatchError } from './signer-mismatch.ts'
export { publicKeyOf } from './public-key-of.ts'
export { takeKeyStep } from './make-key.ts'
export { type KeyProgress, nextStep } from './key-progress.ts'

export const feature: ServerFeature = { work: (context, { report }) => [startKeys(context, report)] }
